package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.StorePrograms.ownRun;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.report.StoreReport;
import org.restorej.testing.Failures;

/** The memory of a replaced generation serves the next one, and nothing of it shows through. */
class RecycledMemoryTest {
    private static final int PES = 4;
    private static final long BLOCKS = 500;
    private static final int BLOCK_BYTES = 40;
    private static final BlockRanges ALL = BlockRanges.of(0, BLOCKS);

    private static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).replication(3).permutationRangeBlocks(7);
    }

    private static void submitAndCheck(Communicator comm, ReStore store, long version) {
        TestBlocks content = new TestBlocks(BLOCK_BYTES, version);
        try (Arena arena = Arena.ofShared()) {
            store.submit(ownRun(comm, BLOCKS), content.memory(arena, ownRun(comm, BLOCKS)));
        }
        content.pullAndCheck(store, ALL);
    }

    /** The replicas of three runs, and for each a page with its checksums. */
    private static long generationBytes(ReStore store) {
        return store.replicaBytes() + 3 * 4096;
    }

    @Test
    void fromTheThirdSubmitOnNothingIsAllocated() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).blockSizeBytes(BLOCK_BYTES).build()) {
                submitAndCheck(world, store, 1);
                assertEquals(0, store.report().memory().spareBytes());
                submitAndCheck(world, store, 2);
                assertEquals(generationBytes(store), store.report().memory().spareBytes());
                long allocated = store.state().pool().freshReplicaBytes();
                assertEquals(2 * generationBytes(store), allocated);
                for (long version = 3; version < 12; version++) {
                    submitAndCheck(world, store, version);
                    assertEquals(generationBytes(store), store.report().memory().spareBytes());
                }
                assertEquals(allocated, store.state().pool().freshReplicaBytes());
            }
            return world.rank();
        });
    }

    @Test
    void stagedAndDiscardedMemoryServesAgain() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).blockSizeBytes(BLOCK_BYTES).build()) {
                submitAndCheck(world, store, 1);
                for (long version = 2; version < 6; version++) {
                    store.stage(
                            new Submission().add(ownRun(world, BLOCKS), new TestBlocks(BLOCK_BYTES, version)::write))
                            .discard();
                    assertEquals(generationBytes(store), store.report().memory().spareBytes());
                }
                assertEquals(2 * generationBytes(store), store.state().pool().freshReplicaBytes());
                new TestBlocks(BLOCK_BYTES, 1).pullAndCheck(store, ALL);
            }
            return world.rank();
        });
    }

    @Test
    void spareMemoryIsGivenBackWhenAskedFor() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).blockSizeBytes(BLOCK_BYTES).build()) {
                submitAndCheck(world, store, 1);
                submitAndCheck(world, store, 2);
                store.releaseSpareMemory();
                assertEquals(0, store.report().memory().spareBytes());
                submitAndCheck(world, store, 3);
                assertEquals(3 * generationBytes(store), store.state().pool().freshReplicaBytes());
            }
            return world.rank();
        });
    }

    @Test
    void sizesThatChangeGrowAndShrinkTheMemory() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).variableBlockSizes(BLOCK_BYTES).build()) {
                for (long version = 1; version < 12; version++) {
                    // Long and short ones by turns, and some that are nearly as long as those before.
                    SizedBlocks content = new SizedBlocks(version % 4 == 0 ? 10 : 100, version);
                    store.submit(new Submission().add(ownRun(world, BLOCKS), content.sizes(), content::write));
                    content.pullAndCheck(store, ALL);
                    StoreReport.Memory memory = store.report().memory();
                    assertTrue(memory.spareBytes() <= 500L * 3 * 107, "no more than two generations: " + memory);
                }
            }
            return world.rank();
        });
    }

    @Test
    void memoryOfASubmissionThatFailedServesAfterTheRecovery() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).blockSizeBytes(BLOCK_BYTES).build()) {
                submitAndCheck(world, store, 1);
                submitAndCheck(world, store, 2);
                RuntimeException failure = assertThrows(RuntimeException.class, () -> store.submit(new Submission()
                        .add(ownRun(world, BLOCKS), (id, block) -> {
                            // PE 1 has failed before anybody has sent all of its blocks.
                            FailureSimulation.of(world).fail(1);
                            new TestBlocks(BLOCK_BYTES, 3).write(id, block);
                        })));
                assertTrue(failure instanceof CommunicationFailedException, failure::toString);
                assertEquals(0, store.report().memory().spareBytes(), "kept until the survivors have shrunk");
                world.revoke();
                Communicator survivors = world.shrink();
                store.recover(survivors);
                long spare = store.report().memory().spareBytes();
                assertTrue(spare >= store.replicaBytes(), "spare " + spare + " of " + store.replicaBytes());
                new TestBlocks(BLOCK_BYTES, 2).pullAndCheck(store, ALL);
                for (long version = 4; version < 8; version++) {
                    submitAndCheck(survivors, store, version);
                }
            }
            return world.rank();
        });
    }

    @Test
    void replenishingHasABetterUseForTheMemory() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).blockSizeBytes(BLOCK_BYTES).build()) {
                submitAndCheck(world, store, 1);
                submitAndCheck(world, store, 2);
                store.recover(Failures.lose(world, 1));
                assertTrue(store.report().memory().spareBytes() > 0, "recovering frees nothing");
                store.replenish();
                assertEquals(0, store.report().memory().spareBytes());
                new TestBlocks(BLOCK_BYTES, 2).pullAndCheck(store, ALL);
            }
            return world.rank();
        });
    }

    @Test
    void lostBlocksOfDifferentSizesAreLostAlsoInMemoryThatWasUsedBefore() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).replication(1).variableBlockSizes(BLOCK_BYTES).build()) {
                SizedBlocks content = new SizedBlocks(100, 1);
                store.submit(new Submission().add(ownRun(world, BLOCKS), content.sizes(), content::write));
                store.recover(Failures.lose(world, 1));
                MemorySegment room = MemorySegment.ofArray(new byte[(int) BLOCKS * 100]);
                BlockRanges lost = assertThrows(IrrecoverableDataLossException.class, () -> store.pull(ALL, room))
                        .lostBlocks();
                // What it leaves in the memory that the next pull gets would make sizes of terabytes.
                store.pull(ALL.minus(lost), room);
                assertEquals(lost, assertThrows(IrrecoverableDataLossException.class, () -> store.pull(ALL, room))
                        .lostBlocks());
            }
            return world.rank();
        });
    }

    @Test
    void aSubmitAfterARecoveryTakesWhatStillFits() {
        LimitedRun.values(PES, world -> {
            int longBlock = 4096; // Far more than the checksums of a run take.
            try (ReStore store = builder(world).blockSizeBytes(longBlock).build()) {
                for (long version = 1; version < 4; version++) {
                    store.submit(
                            new Submission().add(ownRun(world, BLOCKS), new TestBlocks(longBlock, version)::write));
                }
                Communicator survivors = Failures.lose(world, 1);
                store.recover(survivors);
                long before = store.state().pool().freshReplicaBytes();
                store.submit(new Submission().add(ownRun(survivors, BLOCKS), new TestBlocks(longBlock, 4)::write));
                new TestBlocks(longBlock, 4).pullAndCheck(store, ALL);
                long fresh = store.state().pool().freshReplicaBytes() - before;
                assertTrue(fresh < store.replicaBytes() / 2,
                        fresh + " of " + store.replicaBytes() + " bytes are fresh");
            }
            return world.rank();
        });
    }
}
