package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.CheckedStorePrograms;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.testing.Deep;
import org.restorej.testing.Failures;

/**
 * Of a row a part has gone, and two are damaged without anybody knowing. A replenishment finds the first, computes it
 * from the second, and finds that one damaged, too. Whoever fails at whatever call meanwhile: nobody takes what was
 * computed for sound.
 */
class DamagedCodedReplenishCrashTest {
    private static final int PES = 5;
    private static final long BLOCKS = 40;
    private static final long BLOCKS_PER_PE = BLOCKS / PES;

    private final AtomicInteger flipped = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    @Test
    void aFailureDoesNotMakeWrongPartsSound() {
        failAtEveryCall(1);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void norDoesItInOtherOrdersOfEvents(long seed) {
        failAtEveryCall(seed);
    }

    private void failAtEveryCall(long seed) {
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.ofPart(PES, this::replenishAndRead).seed(seed)
                .before(() -> flipped.set(0)).checking(run -> {
                    assertEquals(PES - 1 - run.failures().size(), run.survivors().size(), "survivors");
                    assertEquals(2, flipped.get(), "flipped bits");
                }).run();
        assertTrue(summary.calls() > 50, "calls of the replenishment: " + summary);
        assertTrue(lost.get() > 0, "blocks of three parts that have gone are lost");
    }

    private boolean replenishAndRead(Communicator world, FailureAtEveryCall.Part part) {
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(Long.BYTES).coded(2, 2)
                .noPermutation().permutationRangeBlocks(2).build()) {
            store.submit(BlockRange.of(world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE),
                    (block, memory) -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, block * 10));
            flip(store, 0);
            flip(store, 3);
            Communicator comm = Failures.lose(world, holder(store, 2));
            store.recover(comm);
            part.begin();
            try {
                store.replenish();
                part.end();
                check(store);
            } catch (CommunicationFailedException failed) {
                comm.revoke();
                store.recover(comm.shrink());
                check(store);
            }
            return true;
        }
    }

    private static long firstCell(ReStore store, int part) {
        CodedLayout layout = CheckedStorePrograms.layout(store);
        return layout.cell(0, part);
    }

    private static int holder(ReStore store, int part) {
        return CheckedStorePrograms.holderOfPart(store, firstCell(store, part));
    }

    private void flip(ReStore store, int part) {
        if (CheckedStorePrograms.flipAt(store, firstCell(store, part))) {
            flipped.incrementAndGet();
        }
    }

    private void check(ReStore store) {
        MemorySegment read = MemorySegment.ofArray(new long[(int) BLOCKS]);
        BlockRanges gone = BlockRanges.EMPTY;
        try {
            store.pull(BlockRanges.of(0, BLOCKS), read);
        } catch (IrrecoverableDataLossException loss) {
            gone = Objects.requireNonNull(loss.lostBlocks());
            lost.incrementAndGet();
        }
        for (long block = 0; block < BLOCKS; block++) {
            if (!gone.contains(block)) {
                assertEquals(block * 10, read.getAtIndex(ValueLayout.JAVA_LONG, block), "block " + block);
            }
        }
    }
}
