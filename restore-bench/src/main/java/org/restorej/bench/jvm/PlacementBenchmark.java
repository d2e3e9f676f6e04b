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
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * Who holds a block: the look-up behind every submit and pull, for random blocks, in one thread.
 *
 * <p>
 * It should take the same time whatever P is, save for cache misses among the failed ranks, and grow with K. One
 * operation is one block; the store asks once for each run of blocks with the same holders, so far more rarely.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class PlacementBenchmark {
    /** 2^25 PEs have 10^12 blocks with it. */
    private static final long BLOCKS_PER_PE = 30_000;
    /** 256 KiB of blocks of 64 bytes. */
    private static final long PERMUTATION_RANGE_BLOCKS = 4096;
    private static final int POINTS_PER_PE = 64;
    /** One PE in a hundred fails, but no more than this, so that setting up stays short. */
    private static final int MOST_FAILURES = 10_000;
    /** A power of two; few enough to stay in the first-level cache. */
    private static final int BLOCKS = 1024;

    @Param({"8", "1024", "1048576", "33554432"})
    int peCount;

    @Param({"2", "4", "8"})
    int replication;

    @Param({"false", "true"})
    boolean permuted;

    private RangePermutation permutation;
    private Placement placement;
    private FailedRanks failedRanks;
    private ReplicaMap replenished;
    private final long[] blocks = new long[BLOCKS];
    private int[] holders;
    private int next;

    /** Draws the blocks and who fails. */
    @Setup
    public void setUp() {
        long blockCount = peCount * BLOCKS_PER_PE;
        permutation = permuted
                ? RangePermutation.feistel(blockCount, PERMUTATION_RANGE_BLOCKS, 1)
                : RangePermutation.identity(blockCount);
        placement = new Placement(peCount, blockCount, replication);
        Random random = new Random(2);
        int failures = Math.clamp(peCount / 100, 1, MOST_FAILURES);
        failedRanks = FailedRanks.of(random.ints(failures, 0, peCount).toArray());
        replenished = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, POINTS_PER_PE, 3), failedRanks);
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = random.nextLong(blockCount);
        }
        holders = new int[replication];
    }

    /** Nobody has failed. */
    @Benchmark
    public int holders() {
        return placement.aliveHolders(placement.rangeOf(nextPosition()), FailedRanks.NONE, holders);
    }

    /** Some PEs have failed: who is left? */
    @Benchmark
    public int holdersAfterFailures() {
        return placement.aliveHolders(placement.rangeOf(nextPosition()), failedRanks, holders);
    }

    /** Some PEs have failed and their replicas were made anew elsewhere. */
    @Benchmark
    public int holdersAfterReplenishment() {
        long position = nextPosition();
        int range = placement.rangeOf(position);
        return replenished.holders(range, replenished.pieceOf(range, position), holders);
    }

    private long nextPosition() {
        next = (next + 1) & (BLOCKS - 1);
        return permutation.positionOf(blocks[next]);
    }
}
