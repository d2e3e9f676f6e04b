package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.redset.internal.files.FileOperations;

/**
 * A file with blocks of a store. Its header tells which blocks. Opening it checks the header's checksum, and reading
 * checks those of the blocks. Local and immutable; keeps no file open. The format, all numbers big-endian:
 *
 * <pre>
 * offset     bytes
 * 0          8      magic number, "RSTJBLKS" in ASCII
 * 8          4      version, 3
 * 12         8      H, length of the header, from the magic number to the end of the description
 * 20         8      time of saving, milliseconds since 1970; equal in all files of one checkpoint
 * 28         4      rank that wrote the file
 * 32         4      number of ranks that wrote files, at most 2^24
 * 36         8      B, number of blocks of the store
 * 44         8      size of a block in bytes, or 0 if blocks have different sizes
 * 52         4      R, number of block ranges in the file
 * 56         4      D, bytes of the description, at most 2^16
 * 60         16 R   first block and number of blocks of each range; ascending, disjoint, not adjacent
 * 60 + 16 R  8 n    only if blocks have different sizes: the size of each of the n blocks
 * H - D      D      the application's description of the blocks, in UTF-8; equal in all files of one checkpoint
 * H          4      CRC-32C of the header
 * H + 4      c      the blocks in ascending order of their ids
 * H + 4 + c  4 m    CRC-32C of each of the m chunks of the blocks: 256 KiB, the last one possibly shorter
 * </pre>
 *
 * @param path the file
 * @param header its header
 */
public record BlockFile(Path path, BlockFileHeader header) {
    /** Maximum number of blocks of different sizes in a file: the sizes are kept in an array. */
    static final int MAX_VARIABLE_BLOCKS = Integer.MAX_VALUE - 8;

    /**
     * Reads and checks the header of a file.
     *
     * @throws IOException if the file can't be read, is damaged, or is no block file
     */
    public static BlockFile open(FileOperations operations, Path path) throws IOException {
        try (FileChannel channel = operations.openForReading(path)) {
            return new BlockFile(path, BlockFileHeader.read(channel));
        } catch (IOException failure) {
            throw new IOException(path + ": " + failure.getMessage(), failure);
        }
    }

    /** Total bytes of consecutive blocks of this file. */
    public long bytesOf(BlockRange blocks) {
        long first = header.ranges().indexOf(blocks.first());
        return header.startOf(first + blocks.count()) - header.startOf(first);
    }

    /**
     * Reads consecutive blocks.
     *
     * @param blocks all of them within one run of {@link BlockFileHeader#ranges}
     * @param destination of exactly the blocks' size
     */
    void read(ChunkReader reader, BlockRange blocks, MemorySegment destination)
            throws ChunkReader.DamagedBlocksException {
        reader.read(this, header.startOf(header.ranges().indexOf(blocks.first())), destination);
    }

    /** Adds all blocks of the file to a submission. The submission reads them in order. */
    void addTo(Submission submission, ChunkReader reader) {
        BlockRange.Writer writer = new FileWriter(this, reader);
        for (BlockRange run : header.ranges().runs()) {
            if (header.isVariable()) {
                submission.add(run, id -> bytesOf(BlockRange.of(id, 1)), writer);
            } else {
                submission.add(run, writer);
            }
        }
    }

    /** Writes blocks as they are in a file. */
    private record FileWriter(BlockFile file, ChunkReader reader) implements BlockRange.RunWriter {
        @Override
        public void write(long blockId, MemorySegment block) {
            writeRun(BlockRange.of(blockId, 1), block);
        }

        @Override
        public void writeRun(BlockRange blocks, MemorySegment bytes) {
            try {
                file.read(reader, blocks, bytes);
            } catch (ChunkReader.DamagedBlocksException damaged) {
                throw new UncheckedIOException(damaged.getMessage(), damaged);
            }
        }
    }
}
