package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.restorej.comm.testing.Checks.equal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** Exceptions in a loop that submits in the background while the iterations go on. */
class CheckpointLoopBackgroundTest {
    /** The others wait for the PE that throws: to commit with it what was submitted before, or in a call. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExceptionInAnIterationLeavesNobodyWaiting(boolean communicates) {
        try (LocalCluster cluster = LocalCluster.builder(3).singleStepping(1).build()) {
            List<PeOutcome<Integer>> outcomes = cluster.run(world -> throwOnOnePe(world, communicates));
            assertInstanceOf(PeOutcome.Threw.class, outcomes.get(1));
            assertEquals(4, ((PeOutcome.Returned<Integer>) outcomes.getFirst()).value());
            assertEquals(4, ((PeOutcome.Returned<Integer>) outcomes.getLast()).value());
        }
    }

    /** Counts iterations. */
    private static int throwOnOnePe(Communicator world, boolean communicates) {
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world).replication(2), 6, 1);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), 6),
                        CheckpointInterval.iterations(1)).inBackground()) {
            LocalRows<int[]> rows = loop.keep(array.local(mine -> new int[Math.toIntExact(mine.blockCount())]));
            loop.run(4, (comm, iteration) -> {
                if (iteration == 2 && world.rank() == 1) {
                    throw new IllegalStateException("a mistake on one PE");
                }
                if (communicates) {
                    comm.barrier();
                }
                Arrays.setAll(rows.values(), i -> rows.values()[i] + 1);
            });
            return rows.values()[0];
        }
    }

    /** The PE that has no call in its iterations meets it at their end; it wakes the others, which end it as well. */
    @Test
    void aSubmitThatIsRefusedIsRefusedOnAllPes() {
        try (LocalCluster cluster = LocalCluster.builder(3).singleStepping(1).build()) {
            List<PeOutcome<Long>> outcomes = cluster.run(CheckpointLoopBackgroundTest::leaveOutOneBlock);
            for (PeOutcome<Long> outcome : outcomes) {
                assertInstanceOf(InvalidSubmissionException.class,
                        assertInstanceOf(PeOutcome.Threw.class, outcome).thrown(), outcomes::toString);
            }
        }
    }

    private static long leaveOutOneBlock(Communicator world) {
        try (ReStore store = ReStore.builder(world).blocks(6).blockSizeBytes(8).build();
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), 6),
                        CheckpointInterval.iterations(2)).inBackground()) {
            CopiedZeros data = loop.keep(new CopiedZeros(store, memory -> {}));
            loop.run(6, (comm, iteration) -> {
                data.leavesOut = iteration == 1 && comm.rank() == 1;
                if (iteration == 3 && comm.rank() != 0) {
                    comm.barrier();
                }
            });
            return loop.iteration();
        }
    }

    /**
     * A block off the heap is sent from where it is; iterations change it while the submit is under way. More bytes than
     * a copy buffer has are read when iterations have changed them.
     */
    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 20 << 20})
    void blocksOffTheHeapAreSubmittedAsTheyWereAfterTheirIteration(long bytesOfAPe) {
        LocalCluster.run(3, world -> {
            long blocks = 3 * bytesOfAPe / OffHeap.BLOCK_BYTES;
            try (ReStore store = OffHeap.store(world, blocks).replication(2).build();
                    ReStore coded = OffHeap.store(world, blocks).coded(2, 1).build();
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(3, blocks),
                            CheckpointInterval.iterations(1)).inBackground()) {
                List<OffHeap> kept = List.of(loop.keep(new OffHeap(store)), loop.keep(new OffHeap(coded)));
                boolean[] hasFailed = {false};
                loop.run(5, (comm, iteration) -> {
                    if (iteration == 3 && !hasFailed[0]) {
                        hasFailed[0] = true;
                        FailureSimulation.of(comm).fail(2);
                    }
                    for (OffHeap data : kept) {
                        data.require(iteration);
                        data.bytes.fill((byte) (iteration + 1));
                    }
                    comm.barrier();
                });
                equal(2, loop.communicator().size(), "PEs left");
            }
            return true;
        });
    }

    /** No iteration can change what the first generation has: it is committed before. */
    @Test
    void nothingIsCopiedForTheFirstGeneration() {
        LocalCluster.run(2, world -> {
            try (ReStore store = OffHeap.store(world, 8).build();
                    ReStore last = ReStore.builder(world).blocks(8).blockSizeBytes(8).build();
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(2, 8),
                            CheckpointInterval.iterations(1)).inBackground()) {
                OffHeap data = loop.keep(new OffHeap(store) {
                    @Override
                    protected boolean isConstant() {
                        return true;
                    }
                });
                loop.keep(new CopiedZeros(last, memory -> data.bytes.fill((byte) 7)));
                loop.run(0, (comm, iteration) -> {});
                store.pull(data.ids(), (id, block) -> equal((byte) 7, block.get(ValueLayout.JAVA_BYTE, 0),
                        "written after the submit was prepared"));
            }
            return true;
        });
    }

    /** Blocks of which each byte is the number of iterations that are done. */
    private static class OffHeap extends LoopData {
        static final int BLOCK_BYTES = 256;

        private MemorySegment bytes = MemorySegment.NULL;

        OffHeap(ReStore store) {
            super(store);
        }

        static ReStoreBuilder store(Communicator world, long blocks) {
            return ReStore.builder(world).blocks(blocks).blockSizeBytes(BLOCK_BYTES);
        }

        void require(long iteration) {
            MemorySegment expected = Arena.ofAuto().allocate(bytes.byteSize()).fill((byte) iteration);
            long different = bytes.mismatch(expected);
            if (different >= 0) {
                throw new AssertionError("byte " + different + " in iteration " + iteration + " is "
                        + bytes.get(ValueLayout.JAVA_BYTE, different));
            }
        }

        @Override
        protected void initialize(BlockRanges mine) {
            bytes = Arena.ofAuto().allocate(mine.blockCount() * BLOCK_BYTES);
        }

        @Override
        protected Submission submission() {
            Submission submission = new Submission();
            long from = 0;
            for (BlockRange run : ids().runs()) {
                long length = run.count() * BLOCK_BYTES;
                submission.add(run, bytes.asSlice(from, length));
                from += length;
            }
            return submission;
        }

        @Override
        protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
            equal(mine, blocks.ids(), "all blocks at a rollback");
            initialize(mine);
            bytes.copyFrom(blocks.bytes());
        }
    }
}
