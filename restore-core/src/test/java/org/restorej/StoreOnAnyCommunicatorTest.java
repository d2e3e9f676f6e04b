package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;
import org.restorej.testing.Failures;

/** A store may be built on a communicator that is not the one which the program started with. */
class StoreOnAnyCommunicatorTest {
    private static final long BLOCKS = 84;
    private static final TestBlocks CONTENT = new TestBlocks(16, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Test
    void ranksOfTheStoreAreThoseOfTheCommunicatorThatItWasBuiltOn() {
        List<Boolean> survivors = LimitedRun.values(7, world -> {
            Communicator comm = Failures.lose(world, 1);
            try (ReStore store = ReStore.builder(comm).blocks(BLOCKS).blockSizeBytes(16).replication(3).build();
                    CheckpointLoop loop = new CheckpointLoop(comm, LoadBalancer.equal(comm.size(), BLOCKS),
                            CheckpointInterval.iterations(1));
                    Arena arena = Arena.ofShared()) {
                equal(StoreRank.of(comm), store.rank(), "own rank");
                equal(6, store.placement().peCount(), "PEs");
                HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT));
                loop.evaluate(Communicator::size);
                // Rank 3 of the store is the process with original rank 4.
                long blocks = loop.evaluate(alive -> {
                    if (alive.size() == 6) {
                        FailureSimulation.of(alive).fail(3);
                    }
                    long[] sum = {mine.held().size()};
                    alive.allReduce(sum, Reduction.SUM);
                    return sum[0];
                });
                equal(BLOCKS, blocks, "blocks of all");
                equal(FailedRanks.of(3), store.failedRanks(), "failed ranks of the store");
                equal(mine.heldIds(), loop.blocks(), "blocks of this PE");
                equal(StoreRank.of(comm.rank()), store.rank(), "own rank after a failure");
                CONTENT.checkAll(EVERYTHING, store.pull(EVERYTHING, arena).bytes());
                equal(0L, store.report().blocksLost(), "blocks lost");
                equal(5, store.risk().alive(), "PEs alive");
                checkTranslation(store);
                return true;
            }
        });
        assertEquals(5, survivors.size());
    }

    private static void checkTranslation(ReStore store) {
        int[] processes = {0, 2, 3, 4, 5, 6};
        for (int rank = 0; rank < processes.length; rank++) {
            OriginalRank process = OriginalRank.of(processes[rank]);
            boolean alive = rank != 3;
            equal(alive ? Optional.of(StoreRank.of(rank)) : Optional.empty(), store.rankOf(process),
                    "rank of process " + process);
            equal(alive ? Optional.of(process) : Optional.empty(), store.processOf(StoreRank.of(rank)),
                    "process of rank " + rank);
        }
        equal(Optional.empty(), store.rankOf(OriginalRank.of(1)), "a process that had failed before");
        equal(Optional.empty(), store.rankOf(OriginalRank.of(7)), "a process that never was");
        Checks.throwing(IndexOutOfBoundsException.class, () -> store.processOf(StoreRank.of(6)), "no such rank");
    }

    @Test
    void whatAnExceptionSaysOfProcessesIsTranslated() {
        assertEquals(Collections.nCopies(3, Optional.of(StoreRank.of(2))), LimitedRun.values(5, world -> {
            Communicator comm = Failures.lose(world, 0);
            try (ReStore store = ReStore.builder(comm).blocks(BLOCKS).blockSizeBytes(16).replication(2).build()) {
                FailureSimulation.of(comm).fail(2);
                ProcessFailedException failure = Checks.throwing(ProcessFailedException.class,
                        () -> store.submit(new Submission()), "a submit with a failed process");
                equal(OriginalRank.of(3), failure.failedRanks().first(), "process");
                return store.rankOf(failure.failedRanks().first());
            }
        }));
    }

    @Test
    void aSpareThatTakesAPlaceHasItsRank() {
        List<Boolean> survivors = LimitedRun.values(6, world -> {
            Communicator comm = Failures.lose(world, 0);
            try (ReStore store = ReStore.builder(comm).blocks(BLOCKS).blockSizeBytes(16).replication(2).spares(1)
                    .build()) {
                equal(Optional.empty(), store.rankOf(OriginalRank.of(5)), "rank of the idle spare");
                Communicator alive = Failures.lose(comm, 2);
                store.recover(alive);
                equal(Optional.of(StoreRank.of(2)), store.rankOf(OriginalRank.of(5)), "rank of the spare");
                equal(Optional.of(OriginalRank.of(5)), store.processOf(StoreRank.of(2)), "process of the place");
                equal(Optional.empty(), store.rankOf(OriginalRank.of(3)), "rank of the failed");
                holds(store.failedRanks().isEmpty(), "nobody is missing");
                return true;
            }
        });
        assertEquals(4, survivors.size());
    }
}
