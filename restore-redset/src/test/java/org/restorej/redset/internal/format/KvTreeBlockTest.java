package org.restorej.redset.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.Vectors;
import org.restorej.testing.Deep;

class KvTreeBlockTest {
    private static final int FUZZED_INPUTS = 100_000;
    private static final int DEEPLY_FUZZED_INPUTS = 4_000_000;

    @Test
    void storesKeysByteWiseSorted() {
        KvTree tree = KvTree.builder().put("2", 0).put("10", 0).put("ä", 0).put("A", 0).put("", 0).build();
        assertEquals(List.of("", "10", "2", "A", "ä"), tree.keys());
    }

    @Test
    void readsKeysInAnyOrder() throws FormatException {
        byte[] block = KvTreeBlock.encode(KvTree.builder().put("a", 1).put("b", 2).build());
        byte[] swapped = block.clone();
        int entryBytes = 2 + 4 + 2 + 4;
        System.arraycopy(block, 24, swapped, 24 + entryBytes, entryBytes);
        System.arraycopy(block, 24 + entryBytes, swapped, 24, entryBytes);
        assertArrayEquals(block, KvTreeBlock.encode(KvTreeBlock.decode(sealed(swapped)).tree()));
    }

    @Test
    void roundTripsRandomTrees() throws IOException {
        SeededRandom random = SeededRandom.forTest("roundTripsRandomTrees");
        for (int i = 0; i < 2_000; i++) {
            KvTree tree = randomTree(random, 5);
            byte[] block = KvTreeBlock.encode(tree);
            KvTreeBlock read = KvTreeBlock.read(Channels.newChannel(new ByteArrayInputStream(block)), block.length);
            assertEquals(tree, read.tree());
            assertEquals(block.length, read.sizeBytes());
        }
    }

    @Test
    void readsTheSmallestTrees() throws FormatException {
        for (KvTree tree : List.of(KvTree.EMPTY, KvTree.value(""))) {
            assertEquals(tree, KvTreeBlock.decode(KvTreeBlock.encode(tree)).tree());
        }
    }

    @Test
    void readsOnWhereAChannelGivesNothingForOnce() throws IOException {
        byte[] block = KvTreeBlock.encode(KvTree.value("x"));
        ReadableByteChannel bytes = Channels.newChannel(new ByteArrayInputStream(block));
        ReadableByteChannel slow = new ReadableByteChannel() {
            private int calls;

            @Override
            public int read(ByteBuffer target) throws IOException {
                return calls++ % 2 == 0 ? 0 : bytes.read(target);
            }

            @Override
            public boolean isOpen() {
                return bytes.isOpen();
            }

            @Override
            public void close() throws IOException {
                bytes.close();
            }
        };
        assertEquals(KvTree.value("x"), KvTreeBlock.read(slow, block.length).tree());
    }

    private static KvTree randomTree(SeededRandom random, int levels) {
        KvTree.Builder builder = KvTree.builder();
        int count = levels == 0 ? 0 : random.nextInt(5);
        for (int i = 0; i < count; i++) {
            StringBuilder key = new StringBuilder().append((char) (1 + i));
            for (int length = random.nextInt(6); length > 0; length--) {
                key.append((char) (1 + random.nextInt(255)));
            }
            builder.put(key.toString(), randomTree(random, levels - 1));
        }
        return builder.build();
    }

    @Test
    void saysWhatIsWrong() {
        byte[] block = KvTreeBlock.encode(KvTree.builder().put("KEY", "VALUE").build());
        assertSays(fails(Arrays.copyOf(block, 27)), "at least 28 bytes", "27");
        assertSays(fails(changed(block, 0, 0x94)), "magic", "951fc3f5", "941fc3f5");
        assertSays(fails(changed(block, 5, 2)), "type=2");
        assertSays(fails(changed(block, 7, 3)), "version=3");
        assertSays(fails(changed(block, 11, 1)), "block size", "size=");
        assertSays(fails(changed(block, 8, 0xFF)), "block size", "size=18374686479671623726");
        assertSays(fails(changed(block, 19, 0)), "flags");
        assertSays(fails(changed(block, block.length - 1, block[block.length - 1] ^ 1)), "CRC-32");
        assertSays(fails(sealed(changed(block, 20, 0x80))), "count=2147483649");
        assertSays(fails(sealed(changed(block, 23, 2))), "NUL");
        assertSays(fails(sealed(changed(block, 23, 4))), "at most 3", "count=4");
        assertSays(fails(sealed(changed(block, 41, 7))), "at most 0", "count=7");
        assertSays(fails(sealed(block(0, 0, 0, 0, 5))), "1 bytes are left");
        assertSays(fails(sealed(block(0, 0, 0, 2, 'a', 0, 0, 0, 0, 0, 'a', 0, 0, 0, 0, 0))), "twice");
        assertSays(fails(sealed(block(0, 0, 0, 1, 'a', 'b', 'c', 'd', 'e', 'f'))), "NUL");
    }

    @Test
    void boundsKeysAndNesting() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> KvTree.builder().put("x".repeat(1024), 1)),
                "1024");
        assertThrows(IllegalArgumentException.class, () -> KvTree.builder().put("a\0b", 1));
        assertThrows(IllegalArgumentException.class, () -> KvTree.builder().put("€", 1));
        KvTree deep = KvTree.EMPTY;
        for (int level = 0; level <= KvTreeBlock.MAX_LEVELS; level++) {
            deep = KvTree.builder().put("x", deep).build();
        }
        assertSays(fails(KvTreeBlock.encode(deep)), "levels");
    }

    @Deep
    @Test
    void writesAndReadsAsManyKeysAsAreAllowedAndNoMore() throws FormatException {
        KvTree most = ofKeys(2048, ofKeys(2047, KvTree.EMPTY).build()).build();
        byte[] block = KvTreeBlock.encode(most);
        assertEquals(most, KvTreeBlock.decode(block).tree());

        assertSays(assertThrows(IllegalArgumentException.class,
                () -> KvTreeBlock.encode(KvTree.builder().put("x", most).build())), "and 4194305 keys");
        int lastCount = block.length - 8;
        byte[] oneMore = Arrays.copyOf(block, block.length + 6);
        ByteBuffer.wrap(oneMore).putInt(lastCount, 1).put(lastCount + 4, (byte) 'x').put(lastCount + 5, (byte) 0)
                .putInt(lastCount + 6, 0);
        assertSays(fails(sealed(oneMore)), "at most 4194304 keys");
    }

    @Test
    void writesAsManyBytesAsAreReadAndNoMore() throws FormatException {
        byte[] most = KvTreeBlock.encode(ofBytes(KvTreeBlock.MAX_BYTES));
        assertEquals(KvTreeBlock.MAX_BYTES, most.length);
        assertEquals(KvTreeBlock.MAX_BYTES, KvTreeBlock.decode(most).sizeBytes());
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> KvTreeBlock.encode(ofBytes(KvTreeBlock.MAX_BYTES + 1))), "67108865 bytes and");
    }

    /** A tree whose block has this many bytes: keys with a long value each, and an empty key with what is left. */
    private static KvTree ofBytes(int blockBytes) {
        KvTree value = KvTree.value("v".repeat(1000));
        int emptyBytes = KvTreeBlock.encode(KvTree.EMPTY).length;
        int entryBytes = KvTreeBlock.encode(ofKeys(1, value).build()).length - emptyBytes;
        int restBytes = KvTreeBlock.encode(KvTree.builder().put("", "").build()).length - emptyBytes;
        int left = blockBytes - emptyBytes - restBytes;
        return ofKeys(left / entryBytes, value).put("", "v".repeat(left % entryBytes)).build();
    }

    /** Keys of six bytes, all with the same tree. */
    private static KvTree.Builder ofKeys(int count, KvTree child) {
        KvTree.Builder keys = KvTree.builder();
        for (int i = 0; i < count; i++) {
            keys.put(Integer.toString(100_000 + i), child);
        }
        return keys;
    }

    @Test
    void readsNoMoreThanTheBlockOfALongFile() throws IOException {
        byte[] block = KvTreeBlock.encode(KvTree.value("x"));
        ByteArrayInputStream file = new ByteArrayInputStream(Arrays.copyOf(block, block.length + 100));
        assertEquals(block.length, KvTreeBlock.read(Channels.newChannel(file), block.length + 100L).sizeBytes());
        assertEquals(100, file.available());
    }

    /** Truncated, flipped, overwritten and random inputs, most with a valid CRC so that the tree itself is reached. */
    @Test
    void survivesHostileInput() throws IOException {
        readHostile(FUZZED_INPUTS, SeededRandom.forTest("survivesHostileInput"));
    }

    @Deep
    @Test
    void survivesMuchHostileInput() throws IOException {
        readHostile(DEEPLY_FUZZED_INPUTS, SeededRandom.forTest("survivesMuchHostileInput"));
    }

    private static void readHostile(int inputs, SeededRandom random) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (Vectors.Case vector : Vectors.all()) {
            for (Path file : vector.encodedFiles()) {
                byte[] whole = Files.readAllBytes(file);
                seeds.add(Arrays.copyOf(whole, KvTreeBlock.decode(whole).sizeBytes()));
            }
        }
        int accepted = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] input = mutate(random, seeds.get(random.nextInt(seeds.size())));
            try {
                KvTree tree = KvTreeBlock.decode(input).tree();
                accepted++;
                RedundancyHeader.read(tree, random.nextInt(4)).payloadBytes();
                DescriptorFile.read(tree);
            } catch (FormatException expected) {
                assertFalse(String.valueOf(expected.getMessage()).isBlank());
            }
        }
        System.out.println("fuzzed inputs whose tree was accepted: " + accepted + " of " + inputs);
        assertTrue(accepted > inputs / 20, "too few inputs get beyond the tree: " + accepted);
    }

    private static byte[] mutate(SeededRandom random, byte[] seed) {
        byte[] bytes = seed.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 3 -> bytes[at] = (byte) ('0' + random.nextInt(10));
                case 4 -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(64), bytes.length - Math.max(at, from));
                    System.arraycopy(bytes.clone(), from, bytes, at, length);
                }
                default -> {
                    if (bytes.length >= Integer.BYTES) {
                        int count = random.nextInt() >>> random.nextInt(Integer.SIZE);
                        ByteBuffer.wrap(bytes).putInt(Math.min(at, bytes.length - Integer.BYTES), count);
                    }
                }
            }
        }
        return random.nextInt(10) == 0 || bytes.length < 28 ? bytes : sealed(bytes);
    }

    private static FormatException fails(byte[] block) {
        return assertThrows(FormatException.class, () -> KvTreeBlock.decode(block));
    }

    private static byte[] changed(byte[] block, int at, int value) {
        byte[] changed = block.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private static byte[] block(int... tree) {
        byte[] block = Arrays.copyOf(KvTreeBlock.encode(KvTree.EMPTY), 20 + tree.length + 4);
        for (int i = 0; i < tree.length; i++) {
            block[20 + i] = (byte) tree[i];
        }
        return block;
    }

    /** Makes size and CRC right again. */
    private static byte[] sealed(byte[] block) {
        byte[] sealed = block.clone();
        ByteBuffer buffer = ByteBuffer.wrap(sealed).putLong(8, sealed.length);
        CRC32 crc = new CRC32();
        crc.update(sealed, 0, sealed.length - 4);
        buffer.putInt(sealed.length - 4, (int) crc.getValue());
        return sealed;
    }
}
