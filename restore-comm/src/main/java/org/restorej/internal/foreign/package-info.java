/**
 * How functions of C are called. Calls no other package of the project; {@code internal.memory}, {@code internal.mpi},
 * the benchmarks and redset's {@code internal.erasure} call it.
 */
@NullMarked
package org.restorej.internal.foreign;

import org.jspecify.annotations.NullMarked;
