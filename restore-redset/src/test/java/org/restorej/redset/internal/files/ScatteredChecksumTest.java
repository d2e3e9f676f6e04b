package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.restorej.testing.Seed;

/** The checksum of a file, whatever the order in which its bytes come. */
class ScatteredChecksumTest {
    private static final int MAX_BYTES = 3000;
    private static final int MAX_PART_BYTES = 200;

    private final Random random = new Random(Seed.of(ScatteredChecksumTest.class));

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void add(ScatteredChecksum scattered, byte[] content, int start, int end) {
        scattered.add(start, end - start, checksum(Arrays.copyOfRange(content, start, end)));
    }

    /** Some ends of parts, ascending; the last one is that of the content. */
    private List<Integer> cuts(int bytes) {
        List<Integer> cuts = new ArrayList<>();
        for (int end = 0; end < bytes;) {
            end = Math.min(bytes, end + 1 + random.nextInt(MAX_PART_BYTES));
            cuts.add(end);
        }
        return cuts;
    }

    @Test
    void partsMayComeInAnyOrder() {
        for (int round = 0; round < 500; round++) {
            byte[] content = bytes(1 + random.nextInt(MAX_BYTES));
            List<int[]> parts = new ArrayList<>();
            int start = 0;
            for (int end : cuts(content.length)) {
                parts.add(new int[]{start, end});
                start = end;
            }
            Collections.shuffle(parts, random);
            ScatteredChecksum scattered = new ScatteredChecksum();
            for (int[] part : parts) {
                assertEquals(OptionalInt.empty(), scattered.of(content.length), "before the last part");
                add(scattered, content, part[0], part[1]);
            }
            assertEquals(OptionalInt.of(checksum(content)), scattered.of(content.length), "round " + round);
        }
    }

    @Test
    void interleavedRunsGoOn() {
        byte[] content = bytes(MAX_BYTES);
        ScatteredChecksum scattered = new ScatteredChecksum();
        int half = MAX_BYTES / 2;
        for (int step = 0; step < half; step += 100) {
            add(scattered, content, step, step + 100);
            add(scattered, content, half + step, half + step + 100);
        }
        assertEquals(OptionalInt.of(checksum(content)), scattered.of(MAX_BYTES));
    }

    @Test
    void whatBeginsInARunIsNotCountedAgain() {
        byte[] content = bytes(100);
        ScatteredChecksum scattered = new ScatteredChecksum();
        add(scattered, content, 0, 60);
        add(scattered, content, 0, 60);
        add(scattered, content, 59, 100);
        assertEquals(OptionalInt.empty(), scattered.of(100));
        add(scattered, content, 60, 100);
        assertEquals(OptionalInt.of(checksum(content)), scattered.of(100));
    }

    @Test
    void whatReachesIntoALaterRunLeavesTheChecksumUnknown() {
        byte[] content = bytes(100);
        ScatteredChecksum scattered = new ScatteredChecksum();
        add(scattered, content, 60, 100);
        add(scattered, content, 0, 80);
        assertEquals(OptionalInt.empty(), scattered.of(100));
    }

    @Test
    void partsMayBeBeyondTwoGigabytes() {
        int pieceBytes = 1 << 20;
        long half = 3L << 29;
        ByteBuffer piece = ByteBuffer.allocateDirect(pieceBytes);
        CRC32C expected = new CRC32C();
        for (long at = 0; at < half; at += pieceBytes) {
            expected.update(piece.clear());
        }
        ScatteredChecksum scattered = new ScatteredChecksum();
        scattered.add(half, half, (int) expected.getValue());
        scattered.add(0, half, (int) expected.getValue());
        for (long at = 0; at < half; at += pieceBytes) {
            expected.update(piece.clear());
        }
        assertEquals(OptionalInt.of((int) expected.getValue()), scattered.of(2 * half));
    }

    @Test
    void nothingHasAChecksumOfItsOwn() {
        ScatteredChecksum scattered = new ScatteredChecksum();
        scattered.add(5, 0, 0);
        assertEquals(OptionalInt.of(0), scattered.of(0));
        add(scattered, bytes(5), 0, 5);
        assertEquals(OptionalInt.empty(), scattered.of(4));
    }
}
