/**
 * How functions of C are called. Calls no other package of the project; {@code internal.memory}, {@code internal.mpi},
 * the benchmarks and redset's {@code internal.erasure} call it.
 *
 * <p>
 * To change how functions of C are found and called, start at {@code ForeignCall}.
 */
@NullMarked
package org.restorej.internal.foreign;

import org.jspecify.annotations.NullMarked;
