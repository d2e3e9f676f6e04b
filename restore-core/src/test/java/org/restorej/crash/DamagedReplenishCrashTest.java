package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.CheckedStorePrograms;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.ProcessFailedException;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.testing.Failures;

/**
 * The one PE that finds its replicas damaged while it copies them to new holders fails, at each of its calls: the others
 * must not take its copies for sound.
 */
class DamagedReplenishCrashTest {
    private static final int PES = 5;
    private static final int FIRST_VICTIM = 4;
    private static final int CULPRIT = 1;
    private static final long BLOCKS = 40;
    private static final long BLOCKS_PER_PE = BLOCKS / PES;
    private static final int REPLICATION = 3;

    private final AtomicInteger flipped = new AtomicInteger();
    private final AtomicInteger replenishedWithoutIt = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(longs = {1, 3})
    void aFailureDoesNotMakeDamagedCopiesSound(long seed) {
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.ofPart(PES, this::replenishAndRead).seed(seed)
                .at(call -> call.pe() == CULPRIT).repeatedPolls().beforeAndAfter().before(() -> flipped.set(0))
                .checking(run -> {
                    assertEquals(PES - 1 - run.failures().size(), run.survivors().size(), "survivors");
                    assertTrue(flipped.get() > 0, "bits were flipped");
                }).run();
        assertTrue(summary.calls() > 5, "calls of the replenishment: " + summary);
        assertTrue(replenishedWithoutIt.get() > 0, "no replenishment has succeeded that the culprit failed in");
    }

    private boolean replenishAndRead(Communicator world, FailureAtEveryCall.Part part) {
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(Long.BYTES).replication(REPLICATION)
                .noPermutation().ringPoints(2).build()) {
            store.submit(BlockRange.of(world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE),
                    (block, memory) -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, block * 10));
            flipAllOfTheCulprit(world, store);
            Communicator comm = Failures.lose(world, FIRST_VICTIM);
            store.recover(comm);
            part.begin();
            boolean replenished = false;
            try {
                store.replenish();
                replenished = true;
                part.end();
                check(store);
            } catch (ProcessFailedException failure) {
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
}
