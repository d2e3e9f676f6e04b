/**
 * Arithmetic over GF(2^8) on off-heap memory: exclusive or, linear maps, the matrices of the Reed-Solomon code.
 * {@link org.restorej.internal.erasure.ErasureKernels} chooses the fastest kernel that loads; all of them compute the
 * same bytes.
 *
 * <p>
 * Pure: no files, no communication, no ranks. Coded stores and redset's {@code scheme}, {@code coding} and
 * {@code protocol} call it; it calls only {@code org.restorej.internal.foreign}.
 *
 * <p>
 * To add a kernel for XOR and Reed-Solomon on another processor, start at {@code ErasureKernel};
 * {@code ErasureKernels} chooses, {@code SegmentXor} is plain XOR.
 */
@NullMarked
package org.restorej.internal.erasure;

import org.jspecify.annotations.NullMarked;
