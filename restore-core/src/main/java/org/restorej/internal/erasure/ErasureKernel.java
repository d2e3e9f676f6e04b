package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;

/**
 * An implementation of arithmetic over GF(2^8). All of them compute the same bytes; {@link ErasureKernels} chooses one.
 *
 * <p>
 * Segments are off-heap, of any alignment and of equal sizes. Targets overlap neither each other nor the sources. A
 * kernel is thread-safe, but a {@link LinearMap} is not. Neither needs to be closed.
 */
public sealed interface ErasureKernel permits IsalKernel, SwarKernel {
    /** The name in logs and in the system property: {@code isal} or {@code swar}. */
    String name();

    /** Adds the source to the target, byte by byte: {@code target ^= source}. */
    default void xor(MemorySegment source, MemorySegment target) {
        SegmentChecks.check(source, target);
        SegmentXor.xor(source, target);
    }

    /**
     * Prepares multiplication by a matrix. Takes up to a microsecond for each 100 coefficients, so reuse the result.
     */
    LinearMap prepare(GaloisMatrix matrix);
}
