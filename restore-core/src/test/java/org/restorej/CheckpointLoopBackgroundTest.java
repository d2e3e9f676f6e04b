package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** The loop that submits in the background while the iterations go on: a PE fails at calls of the one or the other. */
class CheckpointLoopBackgroundTest {
    private static final int PES = 4;

    /** Far more calls than a PE makes. */
    private static final int MAX_CALLS = 20_000;

    /** Ends one PE at a call that is not a poll. */
    private record BackgroundFault(int victim, int callIndex, AtomicInteger calls, Set<Integer> inLoop)
            implements
                FaultInjector {
        @Override
        public Fate fateOf(OriginalRank originalRank, long call, Operation operation) {
            boolean counts = originalRank.value() == victim && operation != Operation.TEST
                    && operation != Operation.PROBE && operation != Operation.IS_REVOKED
                    && inLoop.contains(victim);
            return counts && calls.getAndIncrement() == callIndex ? Fate.FAILS_BEFORE : Fate.GOES_ON;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureInTheBackgroundChangesNothingInTheResult(boolean incremental) {
        dieAtOneCallOf(23, incremental);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureAtNoCallInTheBackgroundChangesAnythingInTheResult(boolean incremental) {
        dieAtOneCallOf(1, incremental);
    }

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

    /** Of so many calls one is tried. */
    private static void dieAtOneCallOf(int stride, boolean incremental) {
        Set<Integer> inLoop = ConcurrentHashMap.newKeySet();
        CheckpointLoopProgram program = new CheckpointLoopProgram(2, loop -> {
            inLoop.add(loop.communicator().originalRank().value());
            return incremental ? loop.inBackground().incremental() : loop.inBackground();
        }, CheckpointInterval.iterations(1));
        List<Long> expected = LocalCluster.run(1, program::run).getFirst();
        long memoryBefore = NativeMemory.openBytes();
        int call = Math.floorMod(Seed.of(CheckpointLoopBackgroundTest.class), stride);
        int failures = 0;
        while (call < MAX_CALLS) {
            BackgroundFault fault = new BackgroundFault(call % PES, call, new AtomicInteger(), inLoop);
            inLoop.clear();
            List<PeOutcome<List<Long>>> outcomes;
            try (LocalCluster cluster = LocalCluster.builder(PES).faults(fault).timeout(Duration.ofMinutes(2))
                    .build()) {
                outcomes = cluster.run(program::run);
            }
            if (fault.calls().get() <= call) {
                break;
            }
            List<List<Long>> survivors = PeOutcome.values(outcomes);
            assertEquals(PES - 1, survivors.size(), "survivors at call " + call);
            for (List<Long> survivor : survivors) {
                assertEquals(expected, survivor, "result at call " + call);
            }
            assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind at call " + call);
            failures++;
            call += stride;
        }
        assertTrue(failures > 5 && call < MAX_CALLS, "calls: " + call + ", failures: " + failures);
    }
}
