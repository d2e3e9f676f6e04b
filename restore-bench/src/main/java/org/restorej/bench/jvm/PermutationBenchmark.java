package org.restorej.bench.jvm;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.restorej.internal.placement.RangePermutation;

/**
 * Where an id goes, and which id is at a position, for random blocks: should not depend on how many blocks there are.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class PermutationBenchmark {
    private static final long RANGE_BLOCKS = 4096;
    /** A power of two; few enough to stay in the first-level cache. */
    private static final int BLOCKS = 1024;

    /** Number of blocks B. */
    @Param({"1000000", "100000000", "10000000000", "1000000000000"})
    long blockCount;

    private RangePermutation permutation;
    private final long[] blocks = new long[BLOCKS];
    private int next;

    /** Draws the blocks. */
    @Setup
    public void setUp() {
        permutation = RangePermutation.feistel(blockCount, RANGE_BLOCKS, 1);
        Random random = new Random(2);
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = random.nextLong(blockCount);
        }
    }

    private long nextBlock() {
        next = (next + 1) & (BLOCKS - 1);
        return blocks[next];
    }

    /** Position of a block. */
    @Benchmark
    public long positionOf() {
        return permutation.positionOf(nextBlock());
    }

    /** Block at a position. */
    @Benchmark
    public long blockAt() {
        return permutation.blockAt(nextBlock());
    }
}
