package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;

/**
 * Multiplication by one matrix: byte {@code b} of target {@code j} is the sum over {@code i} of {@code matrix[j][i]}
 * times byte {@code b} of source {@code i}. Used by one thread at a time; see {@link ErasureKernel} for segments.
 */
public interface LinearMap {
    /**
     * Overwrites all targets. Cost: each source is read once for every few rows, each target written once.
     *
     * @param sources as many as the matrix has columns
     * @param targets as many as the matrix has rows
     */
    void apply(MemorySegment[] sources, MemorySegment[] targets);

    /**
     * Adds what one source contributes to all targets: {@code targets[j] ^= matrix[j][column] * source}.
     *
     * @param column which source this is
     * @param source its bytes
     * @param targets as many as the matrix has rows
     */
    void accumulate(int column, MemorySegment source, MemorySegment[] targets);
}
