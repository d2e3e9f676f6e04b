package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;

/**
 * Multiplication by a matrix: byte {@code b} of target {@code j} is the sum over {@code i} of {@code matrix[j][i]}
 * times byte {@code b} of source {@code i}. Not thread-safe; see {@link ErasureKernel} for segments.
 */
public interface LinearMap {
    /**
     * Overwrites all targets. Each source is read once for every few rows, each target written once.
     *
     * @param sources as many as the matrix has columns
     * @param targets as many as the matrix has rows
     */
    void apply(MemorySegment[] sources, MemorySegment[] targets);

    /**
     * Adds the contribution of one source to all targets: {@code targets[j] ^= matrix[j][column] * source}.
     *
     * @param column index of the source
     * @param source its bytes
     * @param targets as many as the matrix has rows
     */
    void accumulate(int column, MemorySegment source, MemorySegment[] targets);
}
