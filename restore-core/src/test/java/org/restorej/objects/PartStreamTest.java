package org.restorej.objects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.Submission;
import org.restorej.SubmissionEntries;
import org.restorej.block.BlockRange;
import org.restorej.internal.operation.SubmissionEntry;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.testing.SeededLaw;

/** What a part's stream takes comes out of it again. */
class PartStreamTest {
    private static final int LONGEST_WRITE = 5000;

    @Test
    void whatIsWrittenIsReadAgain() {
        SeededLaw.holds(30, random -> {
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            try (Arena arena = Arena.ofConfined()) {
                PartOutput out = new PartOutput(arena);
                int writes = random.nextInt(1 + random.nextInt(1500));
                for (int write = 0; write < writes; write++) {
                    long seed = random.nextLong();
                    write(new Random(seed), expected);
                    write(new Random(seed), out);
                }
                Submission submission = new Submission();
                out.addTo(submission, 3);
                MemorySegment bytes = submitted(submission, arena);
                assertArrayEquals(expected.toByteArray(), bytes.toArray(ValueLayout.JAVA_BYTE));
                assertArrayEquals(expected.toByteArray(), read(random, new PartInput(bytes)));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }

    private static void write(Random random, OutputStream out) throws IOException {
        if (random.nextBoolean()) {
            out.write(random.nextInt());
            return;
        }
        byte[] bytes = new byte[random.nextInt(LONGEST_WRITE)];
        random.nextBytes(bytes);
        int from = random.nextInt(bytes.length + 1);
        out.write(bytes, from, random.nextInt(bytes.length - from + 1));
    }

    /** All blocks of the part, each once and in order, one after another. */
    private static MemorySegment submitted(Submission submission, Arena arena) {
        long next = 3L * PartOutput.BLOCKS;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (SubmissionEntry entry : SubmissionEntries.of(submission)) {
            assertEquals(next, entry.blocks().first());
            next = entry.blocks().end();
            MemorySegment bytes = ((Source.Bytes) entry.source()).segment();
            BlockRange.Sizes sizes = entry.sizes();
            long size = 0;
            for (long block = entry.blocks().first(); sizes != null && block < next; block++) {
                size += sizes.bytesOf(block);
            }
            assertEquals(bytes.byteSize(), size);
            all.writeBytes(bytes.toArray(ValueLayout.JAVA_BYTE));
        }
        assertEquals(4L * PartOutput.BLOCKS, next);
        MemorySegment whole = arena.allocate(all.size());
        return whole.copyFrom(MemorySegment.ofArray(all.toByteArray()));
    }

    private static byte[] read(Random random, PartInput in) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[LONGEST_WRITE];
        while (in.available() > 0) {
            if (random.nextBoolean()) {
                all.write(in.read());
            } else {
                int from = random.nextInt(some.length);
                all.write(some, from, in.read(some, from, random.nextInt(some.length - from + 1)));
            }
        }
        assertEquals(-1, in.read());
        assertEquals(-1, in.read(some, 0, 1));
        assertEquals(0, in.read(some, 0, 0));
        assertEquals(0, in.skip(1));
        return all.toByteArray();
    }

    @Test
    void skippingGoesNoFurtherThanTheEnd() {
        PartInput in = new PartInput(MemorySegment.ofArray(new byte[]{1, 2, 3}));
        assertEquals(2, in.skip(2));
        assertEquals(0, in.skip(-1));
        assertEquals(3, in.read());
        assertEquals(0, in.skip(5));
    }

    @Test
    void wrongPlacesAreRefused() {
        try (Arena arena = Arena.ofConfined(); PartOutput out = new PartOutput(arena)) {
            assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[3], 2, 2));
            PartInput in = new PartInput(MemorySegment.NULL);
            assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[3], 2, 2));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
