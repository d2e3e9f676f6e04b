package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopValue;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * How many agreements operations take, as docs/cluster.md says: each costs memory for good under Open MPI's ULFM, once a
 * process has failed.
 */
class AgreementCountTest {
    private static final int PES = 4;
    private static final long BLOCKS = 60;
    private static final long EVERY = 5;

    private final CallRecorder recorder = new CallRecorder();

    private void assertTakes(int agreements, String what, Runnable operation) {
        long before = agreements();
        operation.run();
        assertEquals(agreements, agreements() - before, what);
    }

    /** Of the calling PE. */
    private long agreements() {
        int own = Integer.parseInt(Thread.currentThread().getName().replace("pe-", ""));
        return recorder.calls().stream()
                .filter(call -> call.originalRank() == own && call.operation() == Operation.AGREE).count();
    }

    private void run(Consumer<Communicator> program) {
        try (LocalCluster cluster = LocalCluster.builder(PES).faults(recorder).build()) {
            List<PeOutcome<Integer>> outcomes = cluster.run(world -> {
                program.accept(world);
                return world.rank();
            });
            assertEquals(new PeOutcome.Returned<>(OriginalRank.of(0), 0), outcomes.getFirst());
        }
    }

    private static Submission share(Communicator communicator) {
        long blocks = BLOCKS / communicator.size();
        return new Submission().add(BlockRange.of(communicator.rank() * blocks, blocks),
                MemorySegment.ofArray(new long[(int) blocks]));
    }

    @Test
    void everyOperationOfAStoreTakesOne() {
        run(world -> {
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(3).build()) {
                assertTakesOnePerOperation(store, world);
                FailureSimulation.of(world).fail(PES - 1);
                assertThrows(CommunicationFailedException.class, () -> world.barrier());
                world.revoke();
                Communicator survivors = world.shrink();
                assertTakes(1, "recover", () -> store.recover(survivors));
                assertTakes(1, "replenish", store::replenish);
                assertTakesOnePerOperation(store, survivors);
            }
        });
    }

    private void assertTakesOnePerOperation(ReStore store, Communicator communicator) {
        MemorySegment mine = MemorySegment.ofArray(new long[(int) BLOCKS]);
        BlockRanges everything = BlockRanges.of(0, BLOCKS);
        assertTakes(1, "submit", () -> store.submit(share(communicator)));
        assertTakes(1, "submitChanges", () -> store.submitChanges(share(communicator)));
        assertTakes(2, "stage and commit",
                () -> StagedSubmission.commitTogether(List.of(store.stage(share(communicator)))));
        assertTakes(1, "pull", () -> store.pull(everything, mine));
        assertTakes(1, "scrub", store::scrub);
        assertTakes(1, "replenish", store::replenish);
    }

    @Test
    void aCheckpointOfALoopTakesTwoAndIterationsBetweenNone() {
        run(world -> {
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), BLOCKS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(PES, BLOCKS),
                            CheckpointInterval.iterations(EVERY))) {
                LocalRows<long[]> mine = loop.keep(array.local(rows -> new long[(int) rows.blockCount()]));
                loop.run(EVERY, (comm, iteration) -> mine.values()[0]++);
                assertTakes(2 * 20, "20 checkpoints",
                        () -> loop.run(EVERY * 21, (comm, iteration) -> mine.values()[0]++));
            }
        });
    }

    /** Where no iteration changes blocks: each iteration is a checkpoint of the values. */
    @Test
    void anIterationThatChangesOnlyValuesTakesOneAndSoDoesAnEvaluation() {
        run(world -> {
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), BLOCKS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(PES, BLOCKS),
                            CheckpointInterval.iterations(1))) {
                loop.keep(array.constant(rows -> new long[(int) rows.blockCount()]));
                LoopValue<Long> count = loop.value(Codecs.LONG, 0L);
                loop.run(1, (comm, iteration) -> count.set(iteration + 1));
                assertTakes(20, "20 iterations",
                        () -> loop.run(21, (comm, iteration) -> count.set(iteration + 1)));
                assertTakes(1, "evaluation", () -> loop.evaluate(Communicator::size));
            }
        });
    }

    /** One for all stores together, and one to go back, after that of the iteration that has failed. */
    @Test
    void aRecoveryOfALoopTakesTwoAndTwoForEachStore() {
        long[] counted = new long[2];
        run(world -> {
            try (ReplicatedArray<long[]> first = ReplicatedArray.ofLongs(ReStore.builder(world).replication(PES),
                    BLOCKS, 1);
                    ReplicatedArray<long[]> second = ReplicatedArray.ofLongs(ReStore.builder(world).replication(PES),
                            BLOCKS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(PES, BLOCKS),
                            CheckpointInterval.iterations(EVERY))) {
                loop.keep(first.constant(rows -> new long[(int) rows.blockCount()]));
                loop.keep(second.constant(rows -> new long[(int) rows.blockCount()]));
                loop.run(EVERY, (comm, iteration) -> {
                    if (world.rank() == 0 && comm.size() < PES && counted[1] == 0) {
                        counted[1] = agreements();
                    }
                    if (iteration == EVERY - 1 && comm.size() == PES) {
                        if (world.rank() == 0) {
                            counted[0] = agreements();
                        }
                        FailureSimulation.of(comm).fail(PES - 1);
                        comm.barrier();
                    }
                });
            }
        });
        assertEquals(1 + 2 + 2 * 2, counted[1] - counted[0]);
    }
}
