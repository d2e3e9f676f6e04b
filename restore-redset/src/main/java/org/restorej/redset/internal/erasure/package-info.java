/**
 * Arithmetic over GF(2^8) on off-heap memory: exclusive or, linear maps, the matrices of the Reed-Solomon code.
 *
 * <p>
 * Pure computation: no files, no communication, no knowledge of ranks. Calls nothing else of this project; the schemes,
 * the encoders and the decoders call it. {@link org.restorej.redset.internal.erasure.ErasureKernels} chooses the
 * fastest kernel that loads; all of them give the same bytes.
 */
@NullMarked
package org.restorej.redset.internal.erasure;

import org.jspecify.annotations.NullMarked;
