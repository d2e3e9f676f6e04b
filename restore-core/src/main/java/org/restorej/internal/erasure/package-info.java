/**
 * Arithmetic over GF(2^8) on off-heap memory: exclusive or, linear maps, the matrices of the Reed-Solomon code.
 * {@link org.restorej.internal.erasure.ErasureKernels} chooses the fastest kernel that can be loaded; all of them
 * compute the same bytes.
 *
 * <p>
 * No files, communication or ranks. Called by coded stores and redset's {@code scheme}, {@code coding} and
 * {@code protocol}; uses only {@code org.restorej.internal.foreign}.
 *
 * <p>
 * To add a kernel for XOR and Reed-Solomon on another processor, start at {@code ErasureKernel}; {@code ErasureKernels}
 * chooses, {@code SegmentXor} is plain XOR.
 */
@NullMarked
package org.restorej.internal.erasure;

import org.jspecify.annotations.NullMarked;
