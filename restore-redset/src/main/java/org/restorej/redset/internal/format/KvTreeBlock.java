package org.restorej.redset.internal.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A tree in a file: magic number, type, version, size, flags, the tree, CRC-32. All integers are big-endian.
 *
 * <p>
 * Reading checks all limits before it allocates memory: a block has at most {@value #MAX_BYTES} bytes, and a tree at
 * most {@value #MAX_NODES} keys on at most {@value #MAX_LEVELS} levels.
 *
 * @param tree the tree
 * @param sizeBytes bytes of the block, CRC included; position of a payload
 */
public record KvTreeBlock(KvTree tree, int sizeBytes) {
    /** Maximum bytes of a block that is read: descriptions of some 50,000 files of each of three ranks. */
    public static final int MAX_BYTES = 64 << 20;
    /** Maximum number of keys in a block that is read; each takes up to 120 bytes of heap. */
    public static final int MAX_NODES = 4 << 20;
    /** Maximum depth that is read; redset's own trees have seven levels. */
    public static final int MAX_LEVELS = 32;

    private static final int MESSAGE_BLOCKS = 3;
    /** Levels of a message above a tree that was read. */
    private static final int MESSAGE_LEVELS = 4;
    private static final int MAGIC = 0x951FC3F5;
    private static final short TYPE = 1;
    private static final short VERSION = 1;
    private static final int FLAG_CRC = 1;
    private static final int HEADER_BYTES = 20;
    private static final int COUNT_BYTES = 4;
    private static final int CRC_BYTES = 4;
    private static final int MIN_BYTES = HEADER_BYTES + COUNT_BYTES + CRC_BYTES;
    /** An empty key with its NUL and an empty tree. */
    private static final int MIN_ENTRY_BYTES = 1 + COUNT_BYTES;

    /**
     * The bytes of a block with this tree.
     *
     * @throws IllegalArgumentException if it is larger than blocks that are read
     */
    public static byte[] encode(KvTree tree) {
        return encode(tree, 1);
    }

    /**
     * As {@link #encode}, for another rank. A message may contain {@value #MESSAGE_BLOCKS} blocks, below
     * {@value #MESSAGE_LEVELS} levels of its own. The empty tree has no bytes.
     */
    public static byte[] encodeMessage(KvTree tree) {
        return tree.isEmpty() ? new byte[0] : encode(tree, MESSAGE_BLOCKS);
    }

    private static byte[] encode(KvTree tree, int blocks) {
        long sizeBytes = HEADER_BYTES + bytesOf(tree) + CRC_BYTES;
        long keys = keysOf(tree);
        if (sizeBytes > (long) blocks * MAX_BYTES || keys > (long) blocks * MAX_NODES) {
            throw new IllegalArgumentException("a block that can be read again has at most " + blocks * MAX_BYTES
                    + " bytes and " + blocks * MAX_NODES + " keys: " + sizeBytes + " bytes and " + keys + " keys");
        }
        ByteBuffer block = ByteBuffer.allocate((int) sizeBytes);
        block.putInt(MAGIC).putShort(TYPE).putShort(VERSION).putLong(sizeBytes).putInt(FLAG_CRC);
        write(tree, block);
        block.putInt(crc(block.array(), block.position()));
        return block.array();
    }

    private static long bytesOf(KvTree tree) {
        long bytes = COUNT_BYTES;
        for (int i = 0; i < tree.count(); i++) {
            bytes += tree.keyAt(i).length() + 1 + bytesOf(tree.childAt(i));
        }
        return bytes;
    }

    private static long keysOf(KvTree tree) {
        long keys = tree.count();
        for (int i = 0; i < tree.count(); i++) {
            keys += keysOf(tree.childAt(i));
        }
        return keys;
    }

    private static void write(KvTree tree, ByteBuffer out) {
        out.putInt(tree.count());
        for (int i = 0; i < tree.count(); i++) {
            out.put(tree.keyAt(i).getBytes(StandardCharsets.ISO_8859_1)).put((byte) 0);
            write(tree.childAt(i), out);
        }
    }

    /**
     * Reads a block at the channel's position, and moves the position to its end.
     *
     * @param channel a file
     * @param availableBytes number of bytes of the file from there
     * @throws FormatException if there is no complete and valid block
     */
    public static KvTreeBlock read(ReadableByteChannel channel, long availableBytes) throws IOException {
        requireMinBytes(availableBytes);
        ByteBuffer header = readFully(channel, HEADER_BYTES);
        int sizeBytes = checkHeader(header, availableBytes, 1);
        byte[] block = new byte[sizeBytes];
        header.rewind().get(block, 0, HEADER_BYTES);
        readFully(channel, sizeBytes - HEADER_BYTES).get(block, HEADER_BYTES, sizeBytes - HEADER_BYTES);
        return parse(block, sizeBytes, 1);
    }

    /**
     * Reads a block from memory. Ignores bytes after it.
     *
     * @throws FormatException if there is no complete and valid block
     */
    public static KvTreeBlock decode(byte[] bytes) throws FormatException {
        return decode(bytes, 1);
    }

    /** The trees that other ranks have sent with {@link #encodeMessage}, in the same order. */
    public static List<KvTree> decodeMessages(List<byte[]> told) {
        List<KvTree> trees = new ArrayList<>();
        for (byte[] each : told) {
            try {
                trees.add(each.length == 0 ? KvTree.EMPTY : decode(each, MESSAGE_BLOCKS).tree());
            } catch (FormatException impossible) {
                throw new IllegalStateException("a message must arrive as it was sent", impossible);
            }
        }
        return trees;
    }

    private static KvTreeBlock decode(byte[] bytes, int blocks) throws FormatException {
        requireMinBytes(bytes.length);
        return parse(bytes, checkHeader(ByteBuffer.wrap(bytes), bytes.length, blocks), blocks);
    }

    private static void requireMinBytes(long availableBytes) throws FormatException {
        if (availableBytes < MIN_BYTES) {
            throw new FormatException(
                    "a block has at least " + MIN_BYTES + " bytes, but only " + availableBytes + " are there");
        }
    }

    /** The CRC-32 at the end of a block of {@link #encode}. */
    public static int crcOf(byte[] block) {
        return ByteBuffer.wrap(block).getInt(block.length - CRC_BYTES);
    }

    private static int checkHeader(ByteBuffer header, long availableBytes, int blocks) throws FormatException {
        int magic = header.getInt();
        if (magic != MAGIC) {
            throw new FormatException(
                    "magic number must be " + Integer.toHexString(MAGIC) + ": " + Integer.toHexString(magic));
        }
        short type = header.getShort();
        short version = header.getShort();
        if (type != TYPE || version != VERSION) {
            throw new FormatException("file type and version must be 1 and 1: type=" + type + ", version=" + version);
        }
        long sizeBytes = header.getLong();
        long most = Math.min(availableBytes, (long) blocks * MAX_BYTES);
        if (sizeBytes < MIN_BYTES || sizeBytes > most) {
            throw new FormatException("block size must be in [" + MIN_BYTES + ", " + most + "]: size="
                    + Long.toUnsignedString(sizeBytes));
        }
        int flags = header.getInt();
        if (flags != FLAG_CRC) {
            throw new FormatException("flags must be 1, a CRC: flags=" + Integer.toHexString(flags));
        }
        return (int) sizeBytes;
    }

    private static KvTreeBlock parse(byte[] block, int sizeBytes, int blocks) throws FormatException {
        int stored = ByteBuffer.wrap(block).getInt(sizeBytes - CRC_BYTES);
        int computed = crc(block, sizeBytes - CRC_BYTES);
        if (stored != computed) {
            throw new FormatException(
                    "CRC-32 must be " + Integer.toHexString(computed) + ": " + Integer.toHexString(stored));
        }
        KvTree tree = new KvTreeParser(block, HEADER_BYTES, sizeBytes - CRC_BYTES, blocks * MAX_NODES,
                blocks == 1 ? MAX_LEVELS : MAX_LEVELS + MESSAGE_LEVELS).parse();
        return new KvTreeBlock(tree, sizeBytes);
    }

    private static ByteBuffer readFully(ReadableByteChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new FormatException("the file ends " + buffer.remaining() + " bytes before its block does");
            }
        }
        return buffer.flip();
    }

    private static int crc(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** Parses the tree. Every step consumes bytes, so it terminates. */
    private static final class KvTreeParser {
        private final byte[] bytes;
        private final ByteBuffer block;
        private final int end;
        private final int maxNodes;
        private final int maxLevels;
        private int position;
        private int nodes;

        KvTreeParser(byte[] bytes, int start, int end, int maxNodes, int maxLevels) {
            this.bytes = bytes;
            this.block = ByteBuffer.wrap(bytes);
            this.position = start;
            this.end = end;
            this.maxNodes = maxNodes;
            this.maxLevels = maxLevels;
        }

        KvTree parse() throws FormatException {
            KvTree tree = tree(0);
            if (position != end) {
                throw new FormatException((end - position) + " bytes are left between the tree and its CRC");
            }
            return tree;
        }

        private KvTree tree(int level) throws FormatException {
            int count = count();
            if (count == 0) {
                return KvTree.EMPTY;
            }
            if (level >= maxLevels) {
                throw new FormatException("a tree has at most " + maxLevels + " levels");
            }
            String[] keys = new String[count];
            KvTree[] children = new KvTree[count];
            boolean sorted = true;
            for (int i = 0; i < count; i++) {
                keys[i] = key();
                children[i] = tree(level + 1);
                sorted &= i == 0 || keys[i - 1].compareTo(keys[i]) < 0;
            }
            return sorted ? KvTree.ofSorted(keys, children) : sort(keys, children);
        }

        private int count() throws FormatException {
            if (end - position < COUNT_BYTES) {
                throw new FormatException("the tree ends in the middle of a count");
            }
            int count = block.getInt(position);
            position += COUNT_BYTES;
            int most = (end - position) / MIN_ENTRY_BYTES;
            if (count < 0 || count > most) {
                throw new FormatException("a count must be at most " + most + ", what the bytes left can hold: count="
                        + Integer.toUnsignedString(count));
            }
            nodes += count;
            if (nodes > maxNodes) {
                throw new FormatException("a tree has at most " + maxNodes + " keys");
            }
            return count;
        }

        private String key() throws FormatException {
            int limit = Math.min(end, position + KvTree.KEY_BYTES_LIMIT);
            int terminator = position;
            while (terminator < limit && bytes[terminator] != 0) {
                terminator++;
            }
            if (terminator == limit) {
                throw new FormatException("a key must end by NUL within " + KvTree.KEY_BYTES_LIMIT + " bytes");
            }
            String key = new String(bytes, position, terminator - position, StandardCharsets.ISO_8859_1);
            position = terminator + 1;
            return key;
        }

        private static KvTree sort(String[] keys, KvTree[] children) throws FormatException {
            KvTree.Builder builder = KvTree.builder();
            for (int i = 0; i < keys.length; i++) {
                try {
                    builder.put(keys[i], children[i]);
                } catch (IllegalArgumentException duplicate) {
                    throw new FormatException("a key is there twice: " + keys[i]);
                }
            }
            return builder.build();
        }
    }
}
