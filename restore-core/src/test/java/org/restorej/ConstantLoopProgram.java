package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.Recovery;
import org.restorej.placement.FailedRanks;

/** An application of one PE: each of its steps sums over all blocks, which never change, and the sum before. */
final class ConstantLoopProgram {
    static final int STEPS = 8;
    private static final int BLOCKS = 47;
    private static final TestBlocks CONTENT = new TestBlocks(5, 1);

    private final int replication;
    private final int permutationRangeBlocks;
    private final List<Seen> recoveries = new ArrayList<>();
    private int attempts;

    /** A recovery, as far as all PEs see the same. */
    record Seen(FailedRanks newlyFailed, FailedRanks failedRanks, int survivors) {}

    /**
     * How a survivor ended.
     *
     * @param result of the last step
     * @param failedRanks at the end
     * @param assignment blocks of each original rank, as the balancer has committed them
     * @param recoveries what the observer was told
     * @param attempts how often the application's step was called
     */
    record End(long result, FailedRanks failedRanks, List<BlockRanges> assignment, List<Seen> recoveries,
            int attempts) {}

    /**
     * A program.
     *
     * @param permutationRangeBlocks 0 for keeping the replicas of a PE's own blocks together
     */
    ConstantLoopProgram(int replication, int permutationRangeBlocks) {
        this.replication = replication;
        this.permutationRangeBlocks = permutationRangeBlocks;
    }

    /** Result of a run in which nobody fails, computed without a cluster. */
    static long expectedResult() {
        long result = 1;
        for (int step = 0; step < STEPS; step++) {
            long sum = 0;
            for (long id = 0; id < BLOCKS; id++) {
                sum += contribution(result, id, CONTENT.bytes(BlockRange.of(id, 1)));
            }
            result = sum;
        }
        return result;
    }

    private static long contribution(long before, long id, byte[] block) {
        long value = before ^ id;
        for (byte each : block) {
            value = value * 31 + each;
        }
        return value * 0x9E3779B97F4A7C15L;
    }

    /**
     * Runs all steps.
     *
     * @param begin called before the first step: from now on PEs may die
     */
    End run(Communicator world, Runnable begin) {
        LoadBalancer balancer = LoadBalancer.equal(world.size(), BLOCKS);
        try (ReStore store = TestBlocks
                .permuted(ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()),
                        permutationRangeBlocks)
                .replication(replication).ringPoints(3).build();
                CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(1))) {
            HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT));
            loop.onRecovery(recovery -> note(recovery, mine));
            loop.run(0, (comm, iteration) -> {});
            begin.run();
            long result = 1;
            for (int step = 0; step < STEPS; step++) {
                long before = result;
                result = loop.evaluate(comm -> sum(comm, before, mine));
                equal(mine.heldIds(), loop.blocks(), "blocks of this PE");
            }
            equal(balancer.assignment().blocksOf(store.rank()), loop.blocks(), "committed blocks of this PE");
            return new End(result, store.failedRanks(),
                    IntStream.range(0, world.size()).mapToObj(balancer.assignment()::blocksOf).toList(), recoveries,
                    attempts);
        }
    }

    private long sum(Communicator comm, long before, HeldBlocks mine) {
        attempts++;
        long[] sumAndCount = {0, mine.held().size()};
        mine.held().forEach((id, block) -> sumAndCount[0] += contribution(before, id, block));
        comm.allReduce(sumAndCount, Reduction.SUM);
        equal((long) BLOCKS, sumAndCount[1], "blocks that the PEs have together");
        return sumAndCount[0];
    }

    private void note(Recovery recovery, HeldBlocks mine) {
        recoveries.add(new Seen(recovery.newlyFailed(), recovery.failedRanks(), recovery.survivors()));
        holds(recovery.gainedBlocks() <= mine.gainedBlocks(), "observed after the blocks were taken over");
        equal(recovery.gainedBlocks() * CONTENT.blockSizeBytes(), recovery.gainedBytes(), "gained bytes");
        for (Recovery.Phase phase : Recovery.Phase.values()) {
            holds(recovery.nanos().containsKey(phase), "time of " + phase);
        }
    }
}
