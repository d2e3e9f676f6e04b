package org.restorej.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.placement.FailedRanks;

/** What exceptions say is still known where they were sent to. */
class SerializedExceptionsTest {
    private static <T> T sent(T exception, Class<T> type) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(exception);
        }
        try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return type.cast(input.readObject());
        }
    }

    @Test
    void lostBlocksAndFailedRanksAreStillKnown() throws IOException, ClassNotFoundException {
        BlockRanges lost = BlockRanges.of(BlockRange.of(3, 4), BlockRange.of(90, 1));
        IrrecoverableDataLossException there = sent(
                new IrrecoverableDataLossException(lost, FailedRanks.of(2, 5)), IrrecoverableDataLossException.class);
        assertEquals(lost, there.lostBlocks());
        assertEquals(FailedRanks.of(2, 5), there.failedRanks());
    }

    @Test
    void failedProcessesAreStillKnown() throws IOException, ClassNotFoundException {
        ProcessFailedException there = sent(
                new ProcessFailedException("pull", Set.of(OriginalRank.of(7), OriginalRank.of(1))),
                ProcessFailedException.class);
        assertEquals(Set.of(OriginalRank.of(1), OriginalRank.of(7)), there.failedRanks());
    }
}
