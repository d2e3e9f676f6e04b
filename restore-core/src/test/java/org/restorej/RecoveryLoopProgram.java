package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.placement.FailedRanks;

/** An application of one PE: each of its steps sums over all blocks and starts from the sum before. */
final class RecoveryLoopProgram {
    static final int STEPS = 8;
    private static final int BLOCKS = 47;
    private static final TestBlocks CONTENT = new TestBlocks(5, 1);

    private final int replication;
    private final int permutationRangeBlocks;
    /** Bytes of the blocks of this PE, which are taken over from the store. */
    private final TreeMap<Long, byte[]> held = new TreeMap<>();
    private final List<Seen> recoveries = new ArrayList<>();
    private long gainedBlocks;
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
    RecoveryLoopProgram(int replication, int permutationRangeBlocks) {
        this.replication = replication;
        this.permutationRangeBlocks = permutationRangeBlocks;
    }

    /** Result of a run in which nobody dies, computed without a cluster. */
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
        EqualLoadBalancer balancer = new EqualLoadBalancer(world.size(), BLOCKS);
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                .replication(replication).permutationRangeBlocks(permutationRangeBlocks).ringPoints(3).build()) {
            RecoveryLoop loop = new RecoveryLoop(world, store, balancer, this::takeOver).onRecovery(this::note);
            for (BlockRange run : loop.blocks().runs()) {
                store.submit(run, CONTENT::write);
                for (long id = run.first(); id < run.end(); id++) {
                    held.put(id, CONTENT.bytes(BlockRange.of(id, 1)));
                }
            }
            begin.run();
            long result = 1;
            for (int step = 0; step < STEPS; step++) {
                long before = result;
                result = loop.step(comm -> sum(comm, before));
                equal(heldBlocks(), loop.blocks(), "blocks of this PE");
            }
            equal(balancer.assignment().blocksOf(store.rank()), loop.blocks(), "committed blocks of this PE");
            return new End(result, store.failedRanks(),
                    IntStream.range(0, world.size()).mapToObj(balancer.assignment()::blocksOf).toList(), recoveries,
                    attempts);
        }
    }

    private long sum(Communicator comm, long before) {
        attempts++;
        long[] sumAndCount = {0, held.size()};
        held.forEach((id, block) -> sumAndCount[0] += contribution(before, id, block));
        comm.allReduce(sumAndCount, Reduction.SUM);
        equal((long) BLOCKS, sumAndCount[1], "blocks that the PEs have together");
        return sumAndCount[0];
    }

    private void takeOver(PulledBlocks gained, BlockRanges mine) {
        holds(gained.ids().minus(mine).isEmpty(), "what is gained is this PE's");
        CONTENT.checkAll(gained.ids(), gained.bytes());
        gainedBlocks += gained.count();
        gained.forEach((id, block) -> equal(null, held.put(id, block.toArray(ValueLayout.JAVA_BYTE)),
                "block " + id + " gained before"));
    }

    private void note(Recovery recovery) {
        recoveries.add(new Seen(recovery.newlyFailed(), recovery.failedRanks(), recovery.survivors()));
        holds(recovery.gainedBlocks() <= gainedBlocks, "observed after the blocks were taken over");
        equal(recovery.gainedBlocks() * CONTENT.blockSizeBytes(), recovery.gainedBytes(), "gained bytes");
        for (Recovery.Phase phase : Recovery.Phase.values()) {
            holds(recovery.nanos().containsKey(phase), "time of " + phase);
        }
    }

    private BlockRanges heldBlocks() {
        return BlockRanges.of(held.keySet().stream().map(id -> BlockRange.of(id, 1)).toList());
    }
}
