package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
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
            CopiedZeros data = loop.keep(new CopiedZeros(store));
            loop.run(6, (comm, iteration) -> {
                data.leavesOut = iteration == 1 && comm.rank() == 1;
                if (iteration == 3 && comm.rank() != 0) {
                    comm.barrier();
                }
            });
            return loop.iteration();
        }
    }
}
