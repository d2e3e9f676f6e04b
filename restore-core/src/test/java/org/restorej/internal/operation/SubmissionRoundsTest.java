package org.restorej.internal.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.SegmentPool;

/** What keeps a PE from reading the blocks that it submits. */
class SubmissionRoundsTest {
    /** More than there are addresses. */
    private static final long TOO_LARGE = 1L << 50;

    private static SubmissionRounds.NotReadException refused(long blockSizeBytes, BlockRange.Writer writer) {
        StoreConfiguration.Blocks blocks = new StoreConfiguration.Blocks(1, blockSizeBytes, false);
        try (SegmentPool pool = new SegmentPool(); PooledMemory scratch = pool.open()) {
            ClosedSubmission closed = ClosedSubmission.of(
                    List.of(new SubmissionEntry(BlockRange.of(0, 1), null, new SubmissionEntry.Source.Writer(writer))),
                    blocks, scratch, new CollectiveErrors());
            SubmissionRounds rounds = new SubmissionRounds(closed, 1, Long.MAX_VALUE, scratch);
            return assertThrows(SubmissionRounds.NotReadException.class, rounds::next);
        }
    }

    @Test
    void noMemoryForTheCopyIsNoFaultOfTheWriter() {
        SubmissionRounds.NotReadException none = refused(TOO_LARGE, (id, block) -> {});
        String message = String.valueOf(none.getMessage());
        assertTrue(message.startsWith("there is no memory for the " + TOO_LARGE + " bytes that blocks are copied to: "),
                message);
        assertInstanceOf(OutOfMemoryError.class, none.getCause());
    }

    @Test
    void whatAWriterThrowsIsNamedAsItsOwn() {
        assertEquals("a block writer threw java.lang.ArithmeticException: not written", refused(8, (id, block) -> {
            throw new ArithmeticException("not written");
        }).getMessage());
    }

    /** Where a round is full. Each run of a round has a block at least, however long. */
    @Test
    void blocksOfDifferentSizesAreSplitIntoRounds() {
        long[] sizes = {6, 4, 0, 30, 5, 0, 9};
        BlockRange ids = BlockRange.of(7, sizes.length);
        StoreConfiguration.Blocks all = new StoreConfiguration.Blocks(20, 1, true);
        try (SegmentPool pool = new SegmentPool();
                PooledMemory scratch = pool.open();
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(54);
            ClosedSubmission closed = ClosedSubmission.of(List.of(new SubmissionEntry(ids,
                    BlockRange.Sizes.of(ids, sizes), new SubmissionEntry.Source.Bytes(bytes))), all, scratch,
                    new CollectiveErrors());
            assertEquals(54, closed.bytes());
            assertEquals(30, closed.largestBytes());
            SubmissionRounds rounds = new SubmissionRounds(closed, 1, 10, scratch);
            // The number of blocks of a round, their offset and bytes.
            for (long[] expected : new long[][]{{3, 0, 10}, {1, 10, 30}, {2, 40, 5}}) {
                SourceRuns round = rounds.next();
                MemorySegment read = round.at(0, expected[0]);
                assertEquals(bytes.address() + expected[1], read.address());
                assertEquals(expected[2], read.byteSize());
            }
            assertFalse(rounds.hasNext());
        }
    }

    @Test
    void writtenBlocksAreSplitWhereTheBufferIsFull() {
        BlockRange ids = BlockRange.of(0, 4);
        StoreConfiguration.Blocks all = new StoreConfiguration.Blocks(4, 1, true);
        long large = 20L << 20;
        try (SegmentPool pool = new SegmentPool(); PooledMemory scratch = pool.open()) {
            List<Long> written = new ArrayList<>();
            ClosedSubmission closed = ClosedSubmission
                    .of(List.of(new SubmissionEntry(ids, id -> id % 2 == 0 ? large : 1,
                            new SubmissionEntry.Source.Writer((id, block) -> {
                                assertEquals(id % 2 == 0 ? large : 1, block.byteSize());
                                block.set(ValueLayout.JAVA_BYTE, 0, (byte) id);
                                written.add(id);
                            }))), all, scratch, new CollectiveErrors());
            SubmissionRounds rounds = new SubmissionRounds(closed, 1, Long.MAX_VALUE, scratch);
            SourceRuns first = rounds.next();
            assertEquals(List.of(0L, 1L), written);
            assertEquals(large, first.at(0, 1).byteSize());
            assertEquals(1, first.at(1, 1).get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(3, rounds.next().at(1, 1).get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(List.of(0L, 1L, 2L, 3L), written);
            assertFalse(rounds.hasNext());
        }
    }
}
