/**
 * Calls of C functions. Uses no other package of the project; called by {@code internal.memory}, {@code internal.mpi},
 * the benchmarks and redset's {@code internal.erasure}.
 *
 * <p>
 * To change how C functions are found and called, start at {@code ForeignCall}.
 */
@NullMarked
package org.restorej.internal.foreign;

import org.jspecify.annotations.NullMarked;
