package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.CheckedStorePrograms;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.local.FaultInjector;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/**
 * The one PE that finds its replicas damaged while it copies them to new holders dies, at each of its calls: the others
 * must not take its copies for sound.
 */
class DamagedReplenishCrashTest {
    private static final int PES = 5;
    private static final int FIRST_VICTIM = 4;
    private static final int CULPRIT = 1;
    private static final long BLOCKS = 40;
    private static final long BLOCKS_PER_PE = BLOCKS / PES;
    private static final int REPLICATION = 3;
    private static final long NEVER = Long.MAX_VALUE;

    /** Calls of the culprit so far, when the replenishment began, and when it ended. */
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong begin = new AtomicLong(-1);
    private final AtomicLong end = new AtomicLong();
    private final AtomicInteger flipped = new AtomicInteger();
    private final AtomicInteger replenishedWithoutIt = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(longs = {1, 3})
    void aDeathDoesNotMakeDamagedCopiesSound(long seed) {
        run(seed, NEVER, FaultInjector.Fate.LIVES);
        long first = begin.get();
        long last = end.get();
        assertTrue(last - first > 5, "calls of the replenishment: " + (last - first));
        for (long call = first; call < last; call++) {
            run(seed, call, FaultInjector.Fate.DIES_BEFORE);
            run(seed, call, FaultInjector.Fate.DIES_AFTER);
        }
        assertTrue(replenishedWithoutIt.get() > 0, "no replenishment has succeeded that the culprit died in");
    }

    private void run(long seed, long deadlyCall, FaultInjector.Fate fate) {
        calls.set(0);
        flipped.set(0);
        FaultInjector injector = (rank, index, operation) -> {
            if (rank.value() != CULPRIT) {
                return FaultInjector.Fate.LIVES;
            }
            calls.set(index + 1);
            return index == deadlyCall ? fate : FaultInjector.Fate.LIVES;
        };
        try (LocalCluster cluster = LocalCluster.builder(PES).faults(injector).singleStepping(seed)
                .timeout(Duration.ofMinutes(1)).build()) {
            List<PeOutcome<Boolean>> outcomes = cluster.run(this::replenishAndRead);
            long survivors = outcomes.stream().filter(outcome -> outcome instanceof PeOutcome.Returned).count();
            assertEquals(deadlyCall == NEVER ? PES - 1 : PES - 2, survivors,
                    () -> fate + " at " + deadlyCall + ": " + outcomes);
            assertTrue(flipped.get() > 0, "bits were flipped");
        }
    }

    private boolean replenishAndRead(Communicator world) {
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(Long.BYTES).replication(REPLICATION)
                .noPermutation().ringPoints(2).build()) {
            store.submit(BlockRange.of(world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE),
                    (block, memory) -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, block * 10));
            flipAllOfTheCulprit(world, store);
            FailureSimulation.of(world).fail(FIRST_VICTIM);
            world.revoke();
            Communicator comm = world.shrink();
            store.recover(comm);
            begin(world);
            boolean replenished = false;
            try {
                store.replenish();
                replenished = true;
                end(world);
                check(store);
            } catch (ProcessFailedException death) {
                store.recover(comm.shrink());
                replenishedWithoutIt.addAndGet(replenished ? 1 : 0);
                // The culprit's replicas have gone with it.
                assertEquals(0, store.scrub().damagedReplicas(), "damaged replicas");
                check(store);
            }
            return true;
        }
    }

    private void flipAllOfTheCulprit(Communicator world, ReStore store) {
        for (int replica = 0; replica < REPLICATION && world.rank() == CULPRIT; replica++) {
            for (long block = 0; block < BLOCKS; block++) {
                flipped.addAndGet(CheckedStorePrograms.flip(store, block, replica) ? 1 : 0);
            }
        }
    }

    private static void check(ReStore store) {
        MemorySegment read = MemorySegment.ofArray(new long[(int) BLOCKS]);
        store.pull(BlockRanges.of(0, BLOCKS), read);
        for (long block = 0; block < BLOCKS; block++) {
            assertEquals(block * 10, read.getAtIndex(ValueLayout.JAVA_LONG, block));
        }
    }

    private void begin(Communicator world) {
        if (world.rank() == CULPRIT && begin.get() < 0) {
            begin.set(calls.get());
        }
    }

    private void end(Communicator world) {
        if (world.rank() == CULPRIT && end.get() == 0) {
            end.set(calls.get());
        }
    }
}
