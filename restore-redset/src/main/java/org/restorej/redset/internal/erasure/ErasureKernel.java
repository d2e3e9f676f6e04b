package org.restorej.redset.internal.erasure;

import java.lang.foreign.MemorySegment;

/**
 * One way to compute over GF(2^8). All give the same bytes; {@link ErasureKernels} chooses one.
 *
 * <p>
 * Segments are off-heap, of any alignment, and of equal sizes; targets overlap neither one another nor the sources. A
 * kernel may be shared by threads, a {@link LinearMap} not. Neither owns memory that the caller must release.
 */
public sealed interface ErasureKernel permits IsalKernel, SwarKernel, ScalarKernel, VectorKernel {
    /** The name it is logged and forced by: {@code isal}, {@code swar}, {@code scalar} or {@code vector}. */
    String name();

    /** Adds the source to the target, byte by byte: {@code target ^= source}. */
    default void xor(MemorySegment source, MemorySegment target) {
        SegmentChecks.check(source, target);
        SegmentXor.xor(source, target);
    }

    /** Prepares to multiply by a matrix; costs up to a microsecond for each 100 coefficients, so keep it. */
    LinearMap prepare(GaloisMatrix matrix);
}
