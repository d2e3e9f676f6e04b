package org.restorej.redset.internal.blocks;

import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.testing.Deep;

/** Headers that anybody may have written: an error, or one whose file has what it says. */
class BlockFileHeaderTest {
    private static final int HOSTILE_INPUTS = 30_000;
    private static final int DEEPLY_HOSTILE_INPUTS = 600_000;
    private static final int HEADER_BYTES_FIELD = 12;
    private static final int WRITER_FIELD = 28;
    private static final int WRITERS_FIELD = 32;
    private static final BlockRanges RANGES = BlockRanges.of(BlockRange.of(3, 4), BlockRange.of(90, 10));
    private static final long[] VALUES = {0, 1, -1, 2, 8, 88, 100, 1L << 24, 1L << 31, (1L << 31) - 1, 1L << 32,
            1L << 40,
            Long.MAX_VALUE, Long.MIN_VALUE};

    @TempDir
    private Path folder = Path.of("");
    private Path path = Path.of("");

    @BeforeEach
    void namesAFile() {
        path = folder.resolve("2.blocks");
    }

    private byte[] sound(boolean variable) throws IOException {
        try (BlockFileWriter writer = new BlockFileWriter(FileOperations.system(), path, new Origin(7, 2, 5), 100,
                variable ? 0 : 3, RANGES, new Description("taxa in order"))) {
            for (long i = 0; i < RANGES.blockCount(); i++) {
                writer.append(MemorySegment.ofArray(new byte[variable ? (int) i : 3]));
            }
            writer.publish();
        }
        return Files.readAllBytes(path);
    }

    /** Makes the checksum of the header right, as far as there is one. */
    private static byte[] signed(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long headerBytes = bytes.length < HEADER_BYTES_FIELD + Long.BYTES ? -1 : buffer.getLong(HEADER_BYTES_FIELD);
        if (headerBytes >= 0 && headerBytes <= bytes.length - Integer.BYTES) {
            CRC32C checksum = new CRC32C();
            checksum.update(bytes, 0, (int) headerBytes);
            buffer.putInt((int) headerBytes, (int) checksum.getValue());
        }
        return bytes;
    }

    private static void put(FileChannel channel, byte[] bytes) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(bytes), 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesHostileHeaders(boolean variable) throws IOException {
        readHostile(variable, HOSTILE_INPUTS / 2, SeededRandom.forTest("survivesHostileHeaders"));
    }

    @Deep
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesManyHostileHeaders(boolean variable) throws IOException {
        readHostile(variable, DEEPLY_HOSTILE_INPUTS / 2, SeededRandom.forTest("survivesManyHostileHeaders"));
    }

    private void readHostile(boolean variable, int inputs, Random random) throws IOException {
        byte[] sound = sound(variable);
        int refused = 0;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int input = 0; input < inputs; input++) {
                byte[] hostile = hostile(sound, random);
                put(channel, hostile);
                try {
                    BlockFileHeader header = BlockFileHeader.read(channel);
                    assertEquals(hostile.length, header.fileBytes());
                    assertTrue(header.origin().writers() <= Origin.MAX_WRITERS);
                    assertEquals(header.contentBytes(), header.startOf(header.ranges().blockCount()));
                } catch (IOException expected) {
                    refused++;
                }
            }
        }
        assertTrue(refused > inputs / 2, "refused " + refused);
    }

    private static byte[] hostile(byte[] sound, Random random) {
        byte[] bytes = random.nextInt(10) == 0
                ? Arrays.copyOf(sound, random.nextInt(2 * sound.length))
                : sound.clone();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (int change = random.nextInt(3); change >= 0 && bytes.length >= Long.BYTES; change--) {
            int at = random.nextInt(bytes.length - Long.BYTES + 1);
            switch (random.nextInt(3)) {
                case 0 -> buffer.putLong(at / Integer.BYTES * Integer.BYTES, VALUES[random.nextInt(VALUES.length)]);
                case 1 -> buffer.putInt(at / Integer.BYTES * Integer.BYTES,
                        (int) VALUES[random.nextInt(VALUES.length)]);
                default -> buffer.put(at, (byte) random.nextInt());
            }
        }
        return signed(bytes);
    }

    @Test
    void refusesMoreWritersThanThereCanBe() throws IOException {
        byte[] bytes = sound(false);
        ByteBuffer.wrap(bytes).putInt(WRITERS_FIELD, Integer.MAX_VALUE);
        Files.write(path, signed(bytes));
        IOException refused = assertThrows(IOException.class, () -> BlockFile.open(FileOperations.system(), path));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("writer must be at least 0 and less than writers, and "
                + "writers at most 16777216: writer=2, writers=2147483647"), refused.toString());
        ByteBuffer.wrap(bytes).putInt(WRITER_FIELD, Origin.MAX_WRITERS - 1).putInt(WRITERS_FIELD,
                Origin.MAX_WRITERS);
        Files.write(path, signed(bytes));
        assertEquals(Origin.MAX_WRITERS, BlockFile.open(FileOperations.system(), path).header().origin().writers());
    }
}
