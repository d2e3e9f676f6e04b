package org.restorej.redset.internal.blocks;

import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.files.FileOperations;

/** Files of blocks: what is written is read, and what is damaged is refused. */
class BlockFileTest {
    private static final BlockRanges RANGES = BlockRanges.of(BlockRange.of(3, 4), BlockRange.of(90, 10));
    private static final Origin ORIGIN = new Origin(1_700_000_000_000L, 2, 5);
    /** Of three bytes. */
    private static final Description DESCRIPTION = new Description("dö");

    @TempDir
    private Path folder = Path.of("");

    private static byte[] block(long id, boolean variable) {
        byte[] bytes = new byte[variable ? (int) (id % 4 * 1000) : 700];
        Arrays.fill(bytes, (byte) id);
        return bytes;
    }

    private Path write(boolean variable) throws IOException {
        Path path = folder.resolve("2.blocks");
        try (BlockFileWriter writer = new BlockFileWriter(FileOperations.system(), path, ORIGIN, 100,
                variable ? 0 : 700, RANGES, DESCRIPTION)) {
            for (long i = 0; i < RANGES.blockCount(); i++) {
                writer.append(MemorySegment.ofArray(block(RANGES.blockAt(i), variable)));
            }
            writer.publish();
        }
        return path;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsWhatWasWritten(boolean variable) throws IOException {
        BlockFile file = BlockFile.open(FileOperations.system(), write(variable));
        assertEquals(ORIGIN, file.header().origin());
        assertEquals(100, file.header().storeBlocks());
        assertEquals(RANGES, file.header().ranges());
        assertEquals(DESCRIPTION, file.header().description());
        assertEquals(variable, file.header().isVariable());
        for (long i = 0; i < RANGES.blockCount(); i++) {
            BlockRange one = BlockRange.of(RANGES.blockAt(i), 1);
            MemorySegment bytes = MemorySegment.ofArray(new byte[(int) file.bytesOf(one)]);
            file.read(new ChunkReader(FileOperations.system()), one, bytes);
            assertArrayEquals(block(one.first(), variable), bytes.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void hasTheFormatThatIsDocumented() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(write(false)));
        assertEquals("RSTJBLKS", new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII));
        assertEquals(List.of(3, 2, 5, 2, 3),
                List.of(bytes.getInt(8), bytes.getInt(28), bytes.getInt(32), bytes.getInt(52),
                        bytes.getInt(56)));
        assertEquals(List.of(95L, ORIGIN.savedMillis(), 100L, 700L, 3L, 4L, 90L, 10L),
                List.of(bytes.getLong(12), bytes.getLong(20), bytes.getLong(36), bytes.getLong(44), bytes.getLong(60),
                        bytes.getLong(68), bytes.getLong(76), bytes.getLong(84)));
        assertEquals("dö", new String(bytes.array(), 92, 3, StandardCharsets.UTF_8));
        assertEquals(crc(bytes.array(), 0, 95), bytes.getInt(95));
        assertEquals(crc(bytes.array(), 99, 14 * 700), bytes.getInt(99 + 14 * 700));
        assertEquals(99 + 14 * 700 + 4, bytes.limit());
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, length);
        return (int) checksum.getValue();
    }

    private static void readAll(Path path) throws IOException {
        new ChunkReader(FileOperations.system()).verify(BlockFile.open(FileOperations.system(), path));
    }

    @Test
    void findsDamageInTheChunkThatIsReadAndInNoOther() throws IOException {
        int blockBytes = 1000;
        BlockRanges ranges = BlockRanges.of(0, 700);
        Path path = folder.resolve("0.blocks");
        try (BlockFileWriter writer = new BlockFileWriter(FileOperations.system(), path, new Origin(1, 0, 1), 700,
                blockBytes, ranges, Description.NONE)) {
            for (int id = 0; id < 700; id++) {
                byte[] content = new byte[blockBytes];
                Arrays.fill(content, (byte) id);
                writer.append(MemorySegment.ofArray(content));
            }
            writer.publish();
        }
        byte[] bytes = Files.readAllBytes(path);
        int second = 80 + 300 * blockBytes;
        assertEquals(80 + 700 * blockBytes + 3 * Integer.BYTES, bytes.length);
        bytes[second] ^= 1;
        Files.write(path, bytes);
        BlockFile file = BlockFile.open(FileOperations.system(), path);
        ChunkReader reader = new ChunkReader(FileOperations.system());
        for (int id : new int[]{0, 261, 525, 699}) {
            MemorySegment block = MemorySegment.ofArray(new byte[blockBytes]);
            file.read(reader, BlockRange.of(id, 1), block);
            assertEquals((byte) id, block.get(ValueLayout.JAVA_BYTE, blockBytes - 1L));
        }
        ChunkReader.DamagedBlocksException damage = assertThrows(ChunkReader.DamagedBlocksException.class,
                () -> file.read(reader,
                        BlockRange.of(400, 1), MemorySegment.ofArray(new byte[blockBytes])));
        assertEquals(path + " has damaged blocks in chunk 1 of 3", damage.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesEveryFlippedBitAndEveryTruncation(boolean variable) throws IOException {
        Path path = write(variable);
        byte[] sound = Files.readAllBytes(path);
        SeededRandom random = SeededRandom.forTest("refusesEveryFlippedBitAndEveryTruncation");
        for (int input = 0; input < 250; input++) {
            byte[] damaged = sound.clone();
            int at = input < 150 ? input : random.nextInt(sound.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(path, damaged);
            assertThrows(IOException.class, () -> readAll(path), "byte " + at);
            Files.write(path, Arrays.copyOf(sound, random.nextInt(sound.length)));
            assertThrows(IOException.class, () -> readAll(path));
        }
    }
}
