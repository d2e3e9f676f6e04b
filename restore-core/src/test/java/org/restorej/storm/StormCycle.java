package org.restorej.storm;

import static org.restorej.comm.testing.Checks.equal;

import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Meeting;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.placement.FailedRanks;

/** What every rank of a kill storm does over and over: all operations of a store, with every byte read checked. */
final class StormCycle {
    /** Once {@link MpiRank#isTold}, all survivors stop, after the same cycle. */
    static final String STOP = "stop";

    static final long BLOCKS = 500;

    /**
     * With 40 blocks to a permutation range some runs are long enough to go straight from memory to memory, and others,
     * at the borders of ranges and wishes, are packed.
     */
    private static final long BLOCK_BYTES = 4 << 10;

    private static final long PERMUTATION_RANGE_BLOCKS = 40;

    private static final int ROUNDS_MEANWHILE = 20;
    private static final long NANOS_BETWEEN_ROUNDS = 200_000;

    /** What a rank is doing. */
    enum Phase {
        CHECK, SUBMIT, PULL, REPLENISH, GAP, RECOVER, HEAL
    }

    private final Redundancy redundancy;
    private final ReStore store;
    private Phase phase = Phase.GAP;
    /** Who was missing when everything was last checked. */
    private FailedRanks checkedWithout = FailedRanks.NONE;

    StormCycle(Communicator world, Redundancy redundancy) {
        this.redundancy = redundancy;
        store = redundancy.addTo(ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES))
                .permutationRangeBlocks(PERMUTATION_RANGE_BLOCKS).ringPoints(4).build();
    }

    ReStore store() {
        return store;
    }

    /** What this rank is doing, or was doing when it was thrown out of it. */
    Phase phase() {
        return phase;
    }

    void enter(Phase entered) {
        phase = entered;
    }

    /** The blocks of the generation that can be read. */
    TestBlocks content() {
        return new TestBlocks(BLOCK_BYTES, store.generation());
    }

    /** Submits a new generation; these are the blocks of this rank. */
    void submit(BlockRanges mine) {
        long generation = store.generation();
        equal(generation + 1, store.submit(submission(mine)), "number of the new generation");
    }

    /** Submits a new generation while the application does something else, here mostly wait. */
    void submitMeanwhile(Communicator communicator, BlockRanges mine) {
        long generation = store.generation();
        PendingOperation<Long> pending = store.submitAsync(submission(mine));
        for (int round = 0; round < ROUNDS_MEANWHILE; round++) {
            LockSupport.parkNanos(NANOS_BETWEEN_ROUNDS);
            pending.isDone();
            equal((long) communicator.size(), communicator.allReduce(1L, Reduction.SUM), "ranks in a sum");
        }
        equal(generation + 1, pending.await(), "number of the new generation");
    }

    /** What is submitted next. */
    Submission submission(BlockRanges mine) {
        enter(Phase.SUBMIT);
        TestBlocks next = new TestBlocks(BLOCK_BYTES, store.generation() + 1);
        Submission submission = new Submission();
        for (int run = 0; run < mine.runCount(); run++) {
            submission.add(BlockRange.of(mine.runFirst(run), mine.runEnd(run) - mine.runFirst(run)), next::write);
        }
        return submission;
    }

    /** Looks at everything after a recovery. Called by all ranks; throws what communication throws. */
    void checkAfterRecovery(Communicator communicator) {
        if (!checkedWithout.equals(store.failedRanks())) {
            checkEverything(communicator);
        }
    }

    /**
     * All operations that change nothing. Called by all ranks; throws what communication throws.
     *
     * @return whether this was the last time
     */
    boolean read(Communicator communicator) {
        enter(Phase.PULL);
        UnaryOperator<BlockRange> shifted = range -> BlockRange.of((range.first() + store.generation() * 7) % 300,
                range.count());
        int rank = store.rank().value();
        content().pullAndCheck(store, BlockRanges.of(shifted.apply(BlockRange.of(rank * 20L, 180))));
        enter(Phase.REPLENISH);
        store.replenish();
        enter(Phase.GAP);
        return isOver(communicator);
    }

    /** All ranks read every block, and have the same generation. */
    void checkEverything(Communicator communicator) {
        enter(Phase.CHECK);
        long[] least = {store.generation()};
        long[] greatest = {store.generation()};
        new Meeting().at(communicator).settle("comparing generations", () -> {
            communicator.allReduce(least, Reduction.MIN);
            communicator.allReduce(greatest, Reduction.MAX);
            return true;
        });
        equal(least[0], greatest[0], "generation on all ranks");
        content().pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
        checkReplicas(communicator);
        checkedWithout = store.failedRanks();
    }

    /** There are K replicas again, or as many as ranks are alive; or all parts of coded blocks. */
    private void checkReplicas(Communicator communicator) {
        long[] bytes = {store.replicaBytes()};
        new Meeting().at(communicator).settle("counting replicas", () -> {
            communicator.allReduce(bytes, Reduction.SUM);
            return true;
        });
        equal(redundancy.storedBlocks(BLOCKS, PERMUTATION_RANGE_BLOCKS, communicator.size()) * BLOCK_BYTES, bytes[0],
                "bytes of all replicas");
    }

    /** The lowest rank alive has the say. */
    static boolean isOver(Communicator communicator) {
        long[] over = {communicator.rank() == 0 && MpiRank.isTold(STOP) ? 1 : 0};
        new Meeting().at(communicator).settle("whether to stop", () -> {
            communicator.allReduce(over, Reduction.MAX);
            return true;
        });
        return over[0] != 0;
    }
}
