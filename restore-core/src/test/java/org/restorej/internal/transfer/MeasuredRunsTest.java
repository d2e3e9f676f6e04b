package org.restorej.internal.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.restorej.internal.storage.ByteRuns;

class MeasuredRunsTest {
    private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[5]);

    private int asked;

    private final ByteRuns runs = ByteRuns.concat(ByteRuns.of(BYTES), new ByteRuns() {
        @Override
        public int count() {
            return 2;
        }

        @Override
        public long bytes(int run) {
            asked++;
            return run == 0 ? 7 : 1L << 40;
        }

        @Override
        public MemorySegment segment(int run) {
            return MemorySegment.NULL;
        }
    });

    @Test
    void tellsTheLengthsAndTheMemoryOfTheRuns() {
        MeasuredRuns measured = new MeasuredRuns(runs);
        assertEquals(3, measured.count());
        assertEquals(5, measured.bytes(0));
        assertEquals(7, measured.bytes(1));
        assertEquals(1L << 40, measured.bytes(2));
        assertEquals((1L << 40) + 12, measured.totalBytes());
        assertSame(BYTES, measured.segment(0));
        assertSame(MemorySegment.NULL, measured.segment(2));
    }

    @Test
    void measuresEachRunOnce() {
        MeasuredRuns measured = new MeasuredRuns(runs);
        for (int time = 0; time < 3; time++) {
            measured.bytes(1);
            measured.bytes(2);
        }
        assertEquals(2, asked);
    }
}
