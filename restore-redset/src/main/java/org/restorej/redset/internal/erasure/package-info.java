/**
 * Arithmetic over GF(2^8) on off-heap memory: exclusive or, linear maps, the matrices of the Reed-Solomon code.
 * {@link org.restorej.redset.internal.erasure.ErasureKernels} chooses the fastest kernel that loads; all of them
 * compute the same bytes.
 *
 * <p>
 * Pure: no files, no communication, no ranks. {@code scheme}, {@code coding} and {@code protocol} call it; it calls
 * only {@code org.restorej.internal.foreign}.
 */
@NullMarked
package org.restorej.redset.internal.erasure;

import org.jspecify.annotations.NullMarked;
