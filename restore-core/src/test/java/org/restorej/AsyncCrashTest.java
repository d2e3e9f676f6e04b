package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.internal.memory.NativeMemory;

/** A PE fails at every call that it makes while a submit is under way in the background and all PEs communicate. */
class AsyncCrashTest {
    private static final int PES = 4;

    /** Far more calls than a PE makes; polls, whose number differs from run to run, don't count. */
    private static final int MAX_CALLS = 500;

    /** Ends one PE at a call that is not a poll, while its submit is under way. */
    private static final class BackgroundFault implements FaultInjector {
        private final int victim;
        private final int callIndex;
        private final Fate fate;
        private final AtomicInteger calls = new AtomicInteger();
        private volatile boolean underWay;

        BackgroundFault(int victim, int callIndex, Fate fate) {
            this.victim = victim;
            this.callIndex = callIndex;
            this.fate = fate;
        }

        @Override
        public Fate fateOf(OriginalRank originalRank, long call, Operation operation) {
            boolean counts = originalRank.value() == victim && operation != Operation.TEST
                    && operation != Operation.PROBE && operation != Operation.IS_REVOKED && underWay;
            return counts && calls.getAndIncrement() == callIndex ? fate : Fate.GOES_ON;
        }

        /** The submit begins or ends on a PE. */
        void underWay(Communicator world, boolean now) {
            if (world.rank() == victim) {
                underWay = now;
            }
        }

        boolean happened() {
            return calls.get() > callIndex;
        }
    }

    @ParameterizedTest
    @CsvSource({"0, FAILS_BEFORE", "2, FAILS_BEFORE", "3, FAILS_AFTER"})
    void allSurvivorsComeToTheSameEndAndGoOn(int victim, FaultInjector.Fate fate) {
        long memoryBefore = NativeMemory.openBytes();
        Set<Long> ends = new HashSet<>();
        int call = 0;
        while (call < MAX_CALLS) {
            BackgroundFault fault = new BackgroundFault(victim, call, fate);
            List<PeOutcome<Long>> outcomes;
            try (LocalCluster cluster = LocalCluster.builder(PES).faults(fault).timeout(Duration.ofMinutes(1))
                    .build()) {
                outcomes = cluster.run(world -> submitAndGoOn(world, fault));
            }
            if (!fault.happened()) {
                break;
            }
            assertInstanceOf(PeOutcome.Failed.class, outcomes.get(victim), "the victim at call " + call);
            List<Long> survivors = PeOutcome.values(outcomes);
            assertEquals(1, Set.copyOf(survivors).size(), "generations at call " + call + ": " + survivors);
            assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind at call " + call);
            ends.addAll(survivors);
            call++;
        }
        assertTrue(call > 10 && call < MAX_CALLS, "calls while it is under way: " + call);
        assertTrue(ends.contains(1L), "some failure has kept the new generation away: " + ends);
    }

    /** Returns the generation that the survivors have after the failure. */
    private static long submitAndGoOn(Communicator world, BackgroundFault fault) {
        try (ReStore store = ReStore.builder(world).blocks(AsyncStorePrograms.BLOCKS).blockSizeBytes(40)
                .replication(2).permutationRangeBlocks(7).build()) {
            store.submit(AsyncStorePrograms.share(world, AsyncStorePrograms.content(1)::write));
            fault.underWay(world, true);
            PendingOperation<Long> pending = store
                    .submitAsync(AsyncStorePrograms.share(world, AsyncStorePrograms.content(2)::write));
            communicate(world, pending);
            long generation = outcome(pending);
            fault.underWay(world, false);
            if (!someoneHasFailed(world)) {
                return generation;
            }
            Communicator survivors = world.shrink();
            store.recover(survivors);
            assertEquals(generation, store.generation());
            AsyncStorePrograms.content(generation).pullAndCheck(store, BlockRanges.of(0, AsyncStorePrograms.BLOCKS));
            store.submit(AsyncStorePrograms.share(survivors, AsyncStorePrograms.content(9)::write));
            AsyncStorePrograms.content(9).pullAndCheck(store, BlockRanges.of(0, AsyncStorePrograms.BLOCKS));
            return generation;
        }
    }

    private static void communicate(Communicator world, PendingOperation<Long> pending) {
        try {
            for (long round = 0; round < 10; round++) {
                world.allReduce(new long[]{round}, Reduction.SUM);
                boolean done = pending.isDone();
                assertTrue(!done || pending.isDone(), "what is done stays so");
            }
        } catch (CommunicationFailedException failure) {
            world.revoke();
        }
    }

    private static long outcome(PendingOperation<Long> pending) {
        try {
            return pending.await();
        } catch (ProcessFailedException failure) {
            return 1;
        }
    }

    /** The survivors agree on it. */
    private static boolean someoneHasFailed(Communicator world) {
        return world.agree(1).processFailed();
    }
}
