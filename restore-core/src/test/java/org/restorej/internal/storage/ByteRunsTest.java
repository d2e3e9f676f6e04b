package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.restorej.internal.memory.MappedMemory;

class ByteRunsTest {
    /** Unlike those of one segment, none beyond the last. */
    private static ByteRuns runs(byte[]... runs) {
        return new ByteRuns() {
            @Override
            public int count() {
                return runs.length;
            }

            @Override
            public long bytes(int run) {
                return runs[run].length;
            }

            @Override
            public MemorySegment segment(int run) {
                return MemorySegment.ofArray(runs[run]);
            }
        };
    }

    @Test
    void oneRunIsASegment() {
        MemorySegment segment = MemorySegment.ofArray(new byte[5]);
        ByteRuns run = ByteRuns.of(segment);
        assertEquals(1, run.count());
        assertEquals(5, run.bytes(0));
        assertSame(segment, run.segment(0));
    }

    @Test
    void runsFollowOthers() {
        ByteRuns first = runs(new byte[1], new byte[2]);
        ByteRuns second = runs(new byte[3], new byte[4], new byte[5]);
        ByteRuns all = ByteRuns.concat(first, second);
        assertEquals(5, all.count());
        for (int run = 0; run < 5; run++) {
            assertEquals(run + 1, all.bytes(run));
            assertEquals(run < 2 ? first.segment(run) : second.segment(run - 2), all.segment(run));
        }
    }

    @Test
    void aCopyPassesOverEmptyRunsOnEitherSide() {
        byte[] short1 = new byte[2];
        byte[] long1 = new byte[3];
        byte[] short2 = new byte[1];
        ByteRuns.copy(runs(new byte[0], new byte[]{1, 2}, new byte[0], new byte[0], new byte[]{3, 4, 5}, new byte[]{6}),
                runs(short1, new byte[0], long1, short2, new byte[0]));
        assertEquals("[1, 2][3, 4, 5][6]", Arrays.toString(short1) + Arrays.toString(long1) + Arrays.toString(short2));
    }

    @Test
    void theBytesOfAUniformLayoutCanBeCounted() {
        UniformLayout layout = new UniformLayout(7, 1L << 40);
        assertEquals(7L << 40, layout.bytes());
        assertEquals(3L << 40, layout.offset(3));
        assertEquals(2L << 40, layout.bytes(3, 2));
        assertThrows(ArithmeticException.class, () -> new UniformLayout(1L << 32, 1L << 32));
    }

    /** 1 GiB is the longest piece that is given to the checksum at once; its pages are never written. */
    @Test
    void theChecksumOfMoreThanAGibibyteIsThatOfAllItsBytes() {
        byte[] end = {1, 2, 3};
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = MappedMemory.allocate(arena, (1L << 30) + end.length);
            MemorySegment.copy(MemorySegment.ofArray(end), 0, bytes, 1L << 30, end.length);
            CRC32C expected = new CRC32C();
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 1 << 10; i++) {
                expected.update(zeros);
            }
            expected.update(end);
            assertEquals((int) expected.getValue(), Checksum.of(bytes));
        }
    }
}
