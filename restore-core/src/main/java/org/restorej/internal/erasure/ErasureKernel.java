package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;

/**
 * An implementation of arithmetic over GF(2^8). All compute the same bytes; {@link ErasureKernels} chooses one.
 *
 * <p>
 * Segments are off-heap, of any alignment and of equal sizes. Targets overlap neither each other nor the sources.
 * Threads may share a kernel, but not a {@link LinearMap}. Neither owns memory that the caller must free.
 */
public sealed interface ErasureKernel permits IsalKernel, SwarKernel {
    /** The name it is logged and forced by: {@code isal} or {@code swar}. */
    String name();

    /** Adds the source to the target, byte by byte: {@code target ^= source}. */
    default void xor(MemorySegment source, MemorySegment target) {
        SegmentChecks.check(source, target);
        SegmentXor.xor(source, target);
    }

    /** Prepares to multiply by a matrix; costs up to a microsecond for each 100 coefficients, so keep it. */
    LinearMap prepare(GaloisMatrix matrix);
}
