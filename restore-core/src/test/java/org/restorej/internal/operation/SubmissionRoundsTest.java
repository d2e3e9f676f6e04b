package org.restorej.internal.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
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
            SubmissionRounds rounds = new SubmissionRounds(closed, blockSizeBytes, 1, Long.MAX_VALUE, scratch);
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
}
