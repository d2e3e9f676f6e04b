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
 * A file with blocks of a store, which says itself what it has. Its header is compared with its checksum when it is
 * opened, its blocks when they are read. Local, immutable; keeps no file open. The format, all numbers big-endian:
 *
 * <pre>
 * offset     bytes
 * 0          8      magic number, "RSTJBLKS" in ASCII
 * 8          4      version, 3
 * 12         8      H, length of the header, from the magic number to the end of the description
 * 20         8      when it was saved, milliseconds since 1970; the same in all files saved together
 * 28         4      rank of the PE that wrote it
 * 32         4      number of PEs that wrote one, at most 2^24
 * 36         8      B, number of blocks of the store
 * 44         8      size of a block in bytes, or 0 when blocks have different sizes
 * 52         4      R, number of block ranges in the file
 * 56         4      D, bytes of the description, at most 2^16
 * 60         16 R   first block and number of blocks of each range; ascending, disjoint, not adjacent
 * 60 + 16 R  8 n    only when blocks have different sizes: the size of each of the n blocks
 * H - D      D      what the application says its blocks mean, in UTF-8; the same in all files saved together
 * H          4      CRC-32C of the header
 * H + 4      c      the blocks one after another, in ascending order of their ids
 * H + 4 + c  4 m    CRC-32C of each of the m chunks of the blocks: 256 KiB, the last one what is left
 * </pre>
 *
 * @param path the file
 * @param header what it says that it has
 */
public record BlockFile(Path path, BlockFileHeader header) {
    /** Blocks of different sizes that a file can have: the sizes are kept in an array. */
    static final int MAX_VARIABLE_BLOCKS = Integer.MAX_VALUE - 8;

    /**
     * Reads the header of a file, and checks it.
     *
     * @throws IOException when it can't be read, is damaged or something else
     */
    public static BlockFile open(FileOperations operations, Path path) throws IOException {
        try (FileChannel channel = operations.openForReading(path)) {
            return new BlockFile(path, BlockFileHeader.read(channel));
        } catch (IOException failure) {
            throw new IOException(path + ": " + failure.getMessage(), failure);
        }
    }

    /** Bytes of blocks of this file, which follow one another. */
    public long bytesOf(BlockRange blocks) {
        long first = header.ranges().indexOf(blocks.first());
        return header.startOf(first + blocks.count()) - header.startOf(first);
    }

    /**
     * Reads blocks that follow one another.
     *
     * @param blocks all of them within one run of {@link BlockFileHeader#ranges}
     * @param destination as long as they are
     */
    void read(ChunkReader reader, BlockRange blocks, MemorySegment destination)
            throws ChunkReader.DamagedBlocksException {
        reader.read(this, header.startOf(header.ranges().indexOf(blocks.first())), destination);
    }

    /** Adds all blocks of the file to a submission, which will read them in order. */
    void addTo(Submission submission, ChunkReader reader) {
        for (BlockRange run : header.ranges().runs()) {
            if (header.isVariable()) {
                submission.add(run, id -> bytesOf(BlockRange.of(id, 1)), (id, block) -> write(reader, id, block));
            } else {
                submission.add(run, (id, block) -> write(reader, id, block));
            }
        }
    }

    private void write(ChunkReader reader, long blockId, MemorySegment block) {
        try {
            reader.read(this, header.startOf(header.ranges().indexOf(blockId)), block);
        } catch (ChunkReader.DamagedBlocksException damaged) {
            throw new UncheckedIOException(damaged.getMessage(), damaged);
        }
    }
}
