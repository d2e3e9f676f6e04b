package org.restorej.redset.internal.blocks;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.redset.internal.files.FileChecksums;
import org.restorej.redset.internal.files.PendingFile;

/**
 * The header of a block file, in the format of {@link BlockFile}. Immutable. Takes 16 bytes for each range, and 8 bytes
 * for each block if sizes differ.
 */
public final class BlockFileHeader {
    static final long MAGIC = 0x5253544A424C4B53L;
    static final int VERSION = 3;
    static final int FIXED_BYTES = 60;
    /**
     * Bytes that have one checksum and are read at once. A lost block of a few bytes costs no more than this, and a
     * disk reads chunks of this size at full speed.
     */
    static final int CHUNK_BYTES = 1 << 18;
    static final int RANGE_BYTES = 16;
    /** In place of a block's size: blocks have different sizes. */
    static final long VARIABLE = 0;

    private final Origin origin;
    private final long storeBlocks;
    private final long blockSizeBytes;
    private final BlockRanges ranges;
    private final Description description;
    /** The end of each block in the content, if sizes differ. */
    private final long @Nullable [] ends;

    /**
     * Creates a header. Checks that the file's length fits into 63 bits.
     *
     * @param description the application's description of the blocks
     * @param sizesBytes of each block in ascending order of ids, or null if each has {@code blockSizeBytes}
     * @throws ArithmeticException if the content would have 2^63 bytes or more
     */
    BlockFileHeader(Origin origin, long storeBlocks, long blockSizeBytes, BlockRanges ranges,
            Description description, long @Nullable [] sizesBytes) {
        this.origin = origin;
        this.storeBlocks = storeBlocks;
        this.blockSizeBytes = sizesBytes == null ? blockSizeBytes : VARIABLE;
        this.ranges = ranges;
        this.description = description;
        ends = sizesBytes == null ? null : ends(sizesBytes);
        // This sum is checked, so no later computation of the file's length overflows.
        Math.addExact(contentStart() + checksumBytes(), startOf(ranges.blockCount()));
    }

    private static long[] ends(long[] sizesBytes) {
        long[] ends = new long[sizesBytes.length];
        long end = 0;
        for (int block = 0; block < ends.length; block++) {
            end = Math.addExact(end, sizesBytes[block]);
            ends[block] = end;
        }
        return ends;
    }

    /** The origin of the file. */
    public Origin origin() {
        return origin;
    }

    /** Number of blocks of the whole store. */
    public long storeBlocks() {
        return storeBlocks;
    }

    /** Size of each block, or 0 if sizes differ. */
    public long blockSizeBytes() {
        return blockSizeBytes;
    }

    /** The blocks in the file. */
    public BlockRanges ranges() {
        return ranges;
    }

    /** The application's description of the blocks. */
    public Description description() {
        return description;
    }

    /** Whether blocks have different sizes. */
    public boolean isVariable() {
        return ends != null;
    }

    static long headerBytes(BlockRanges ranges, boolean variable, Description description) {
        return FIXED_BYTES + (long) RANGE_BYTES * ranges.runCount() + (variable ? Long.BYTES * ranges.blockCount() : 0)
                + description.bytes();
    }

    /** Position of the blocks in the file. */
    long contentStart() {
        return headerBytes(ranges, isVariable(), description) + Integer.BYTES;
    }

    /** Start of a block in the content; for the number of blocks, the end of the content. */
    long startOf(long index) {
        if (ends == null) {
            return Math.multiplyExact(index, blockSizeBytes);
        }
        return index == 0 ? 0 : ends[Math.toIntExact(index - 1)];
    }

    long contentBytes() {
        return startOf(ranges.blockCount());
    }

    /** Number of chunks of the content. */
    long chunks() {
        return Math.ceilDiv(contentBytes(), (long) CHUNK_BYTES);
    }

    /** Bytes of a chunk. */
    int chunkBytes(long chunk) {
        return (int) Math.min(CHUNK_BYTES, contentBytes() - chunk * CHUNK_BYTES);
    }

    /** Position of the checksum of a chunk in the file. */
    long checksumStart(long chunk) {
        return contentStart() + contentBytes() + Integer.BYTES * chunk;
    }

    private long checksumBytes() {
        return Integer.BYTES * chunks();
    }

    long fileBytes() {
        return contentStart() + contentBytes() + checksumBytes();
    }

    /** Writes header and checksum to the beginning of a file. */
    void write(PendingFile file) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(outputTo(file), new CRC32C());
        DataOutputStream output = new DataOutputStream(new BufferedOutputStream(checked, CHUNK_BYTES));
        output.writeLong(MAGIC);
        output.writeInt(VERSION);
        output.writeLong(headerBytes(ranges, isVariable(), description));
        output.writeLong(origin.savedMillis());
        output.writeInt(origin.writer());
        output.writeInt(origin.writers());
        output.writeLong(storeBlocks);
        output.writeLong(blockSizeBytes);
        output.writeInt(ranges.runCount());
        output.writeInt(description.bytes());
        for (int run = 0; run < ranges.runCount(); run++) {
            output.writeLong(ranges.runFirst(run));
            output.writeLong(ranges.runEnd(run) - ranges.runFirst(run));
        }
        if (ends != null) {
            for (long block = 0; block < ranges.blockCount(); block++) {
                output.writeLong(startOf(block + 1) - startOf(block));
            }
        }
        description.writeTo(output);
        output.flush();
        output.writeInt((int) checked.getChecksum().getValue());
        output.flush();
    }

    /**
     * Reads and checks a header, and checks the file's length against it. Takes memory only for bytes that the file
     * has.
     *
     * @throws IOException if there is no valid header
     */
    static BlockFileHeader read(FileChannel channel) throws IOException {
        long fileBytes = channel.size();
        require(fileBytes >= FIXED_BYTES + Integer.BYTES, "is too short: " + fileBytes + " bytes");
        // The default buffer of 8 KiB: most headers are shorter, and bytes read beyond them are read again.
        DataInputStream input = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
        require(input.readLong() == MAGIC, "doesn't begin with RSTJBLKS");
        int version = input.readInt();
        require(version == VERSION, "has version " + version + ", not " + VERSION);
        long headerBytes = input.readLong();
        require(headerBytes >= FIXED_BYTES && headerBytes <= fileBytes - Integer.BYTES,
                "has a header of impossible length: " + headerBytes);
        // Before memory is allocated for the header.
        ByteBuffer crc = ByteBuffer.allocate(Integer.BYTES);
        require(channel.read(crc, headerBytes) == Integer.BYTES
                && crc.getInt(0) == FileChecksums.of(channel, 0, headerBytes), "has a damaged header");
        try {
            BlockFileHeader header = fields(input, headerBytes);
            require(header.fileBytes() == fileBytes,
                    "has " + fileBytes + " bytes, and should have " + header.fileBytes());
            return header;
        } catch (EOFException shortened) {
            throw new EOFException("ends in its header");
        } catch (IllegalArgumentException | ArithmeticException inconsistent) {
            throw new IOException("has an inconsistent header: " + inconsistent.getMessage(), inconsistent);
        }
    }

    private static BlockFileHeader fields(DataInputStream input, long headerBytes) throws IOException {
        Origin origin = new Origin(input.readLong(), input.readInt(), input.readInt());
        long storeBlocks = input.readLong();
        long blockSizeBytes = input.readLong();
        require(blockSizeBytes >= VARIABLE, "has blocks of negative size: " + blockSizeBytes);
        int runs = input.readInt();
        require(runs >= 0 && runs <= (headerBytes - FIXED_BYTES) / RANGE_BYTES, "claims too many ranges: " + runs);
        int described = input.readInt();
        require(described >= 0 && described <= Description.MAX_BYTES,
                "claims a description of impossible length: " + described);
        BlockRanges.Builder builder = new BlockRanges.Builder();
        long end = -1;
        for (int run = 0; run < runs; run++) {
            long first = input.readLong();
            long count = input.readLong();
            require(first > end && count >= 1 && first < storeBlocks && count <= storeBlocks - first,
                    "has a range out of order or bounds: " + first + ", " + count);
            builder.add(first, count);
            end = first + count;
        }
        BlockRanges ranges = builder.build();
        boolean variable = blockSizeBytes == VARIABLE;
        long sizeBytes = headerBytes - FIXED_BYTES - (long) RANGE_BYTES * runs - described;
        boolean fits = variable
                ? sizeBytes >= 0 && sizeBytes % Long.BYTES == 0 && sizeBytes / Long.BYTES == ranges.blockCount()
                : sizeBytes == 0;
        require(fits, "has a header of the wrong length: " + headerBytes);
        long @Nullable [] sizes = variable ? sizes(input, ranges.blockCount()) : null;
        return new BlockFileHeader(origin, storeBlocks, blockSizeBytes, ranges,
                Description.readFrom(input, described), sizes);
    }

    private static long[] sizes(DataInputStream input, long count) throws IOException {
        require(count <= BlockFile.MAX_VARIABLE_BLOCKS, "has too many blocks of different sizes: " + count);
        long[] sizes = new long[(int) count];
        for (int block = 0; block < sizes.length; block++) {
            sizes[block] = input.readLong();
            require(sizes[block] >= 0, "has a block of negative size: " + sizes[block]);
        }
        return sizes;
    }

    private static void require(boolean holds, String problem) throws IOException {
        if (!holds) {
            throw new IOException("a file of blocks " + problem);
        }
    }

    /** Writes the header's bytes to the file. */
    private static OutputStream outputTo(PendingFile file) {
        return new OutputStream() {
            private long written;

            @Override
            public void write(int value) throws IOException {
                write(new byte[]{(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                file.write(written, ByteBuffer.wrap(bytes, offset, length));
                written += length;
            }
        };
    }

    /**
     * The origin of a block file.
     *
     * @param savedMillis time when its checkpoint was saved, since 1970; equal in all files of one checkpoint
     * @param writer rank that wrote the file
     * @param writers number of ranks that wrote files, at most {@link #MAX_WRITERS}
     */
    public record Origin(long savedMillis, int writer, int writers) {
        /** More than any machine has cores. Limits the memory that an invalid file can cost. */
        public static final int MAX_WRITERS = 1 << 24;

        /** Checks time and ranks. */
        public Origin {
            if (savedMillis < 0) {
                throw new IllegalArgumentException("savedMillis must be at least 0: savedMillis=" + savedMillis);
            }
            if (writer < 0 || writer >= writers || writers > MAX_WRITERS) {
                throw new IllegalArgumentException(
                        "writer must be at least 0 and less than writers, and writers at most "
                                + MAX_WRITERS + ": writer=" + writer + ", writers=" + writers);
            }
        }

        /** The part that all files of one checkpoint have in common. */
        public SaveId save() {
            return new SaveId(savedMillis, writers);
        }

        /**
         * Identifies files that were saved together. The later save is the greater one.
         *
         * @param savedMillis time of saving, since 1970
         * @param writers number of ranks that wrote files
         */
        public record SaveId(long savedMillis, int writers) implements Comparable<SaveId> {
            @Override
            public int compareTo(SaveId other) {
                return savedMillis == other.savedMillis
                        ? Integer.compare(writers, other.writers)
                        : Long.compare(savedMillis, other.savedMillis);
            }

            /** Written out, because the JVM would generate code for it in the first load. */
            @Override
            public boolean equals(@Nullable Object other) {
                return other instanceof SaveId that && savedMillis == that.savedMillis && writers == that.writers;
            }

            @Override
            public int hashCode() {
                return 31 * Long.hashCode(savedMillis) + writers;
            }
        }
    }

    /**
     * The application's description of its blocks. Finds a restart with other data of the same shape.
     *
     * @param text empty if there is none
     */
    public record Description(String text) {
        /** Maximum bytes of a description in UTF-8: for names and digests, not for data. */
        public static final int MAX_BYTES = 1 << 16;
        /** No description. */
        public static final Description NONE = new Description("");
        /** Number of characters of each text in a message, beginning at the difference. */
        private static final int SHOWN = 200;

        /** Bytes in UTF-8. */
        public int bytes() {
            return encoded().length;
        }

        private byte[] encoded() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        /** Why it can't be saved; empty if it can. */
        public Optional<String> mistake() {
            return bytes() <= MAX_BYTES
                    ? Optional.empty()
                    : Optional
                            .of("description must have at most " + MAX_BYTES + " bytes in UTF-8 (save a digest of what "
                                    + "is longer): it has " + bytes());
        }

        /** The difference from another description, as a message; empty if they are equal. */
        public Optional<String> difference(Description other) {
            if (text.equals(other.text)) {
                return Optional.empty();
            }
            int same = 0;
            while (same < Math.min(text.length(), other.text.length())
                    && text.charAt(same) == other.text.charAt(same)) {
                same++;
            }
            String where = same == 0 ? "" : ", from character " + same + " on";
            return Optional.of("the checkpoint's blocks are described as " + shown(text, same)
                    + ", and this program describes them as " + shown(other.text, same) + where);
        }

        private static String shown(String text, int from) {
            String rest = text.substring(from);
            return '"' + (rest.length() > SHOWN ? rest.substring(0, SHOWN) + "..." : rest) + '"';
        }

        void writeTo(DataOutput output) throws IOException {
            output.write(encoded());
        }

        static Description readFrom(DataInput input, int bytes) throws IOException {
            byte[] encoded = new byte[bytes];
            input.readFully(encoded);
            return new Description(new String(encoded, StandardCharsets.UTF_8));
        }
    }
}
