package org.restorej.redset.blocks;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.redset.files.FileChecksums;
import org.restorej.redset.files.FileOperations;

/**
 * A file with blocks of a store, which says itself what it has. Everything in it was compared with its checksums when it
 * was opened. Local, immutable; keeps no file open. The format, all numbers big-endian:
 *
 * <pre>
 * offset     bytes
 * 0          8      magic number, "RSTJBLKS" in ASCII
 * 8          4      version, 1
 * 12         8      H, length of the header, from the magic number to its last size
 * 20         8      when it was saved, milliseconds since 1970; the same in all files saved together
 * 28         4      rank of the PE that wrote it
 * 32         4      number of PEs that wrote one
 * 36         8      B, number of blocks of the store
 * 44         8      size of a block in bytes, or 0 when blocks have different sizes
 * 52         4      R, number of block ranges in the file
 * 56         16 R   first block and number of blocks of each range; ascending, disjoint, not adjacent
 * 56 + 16 R  8 n    only when blocks have different sizes: the size of each of the n blocks
 * H          4      CRC-32C of the header
 * H + 4      c      the blocks one after another, in ascending order of their ids
 * H + 4 + c  4      CRC-32C of the blocks
 * </pre>
 */
public final class BlockFile {
    /** Blocks of different sizes that a file can have: the sizes are kept in an array. */
    static final int MOST_VARIABLE_BLOCKS = Integer.MAX_VALUE - 8;

    private static final long MOST_PIECE_BYTES = 1 << 20;

    private final FileOperations operations;
    private final Path path;
    private final BlockFileHeader header;

    private BlockFile(FileOperations operations, Path path, BlockFileHeader header) {
        this.operations = operations;
        this.path = path;
        this.header = header;
    }

    /**
     * Reads a file once, in pieces, and checks it.
     *
     * @throws IOException when it can't be read, is damaged or something else
     */
    public static BlockFile open(FileOperations operations, Path path) throws IOException {
        try (FileChannel channel = operations.openForReading(path)) {
            BlockFileHeader header = BlockFileHeader.read(channel);
            ByteBuffer expected = ByteBuffer.allocate(Integer.BYTES);
            readFully(channel, expected, header.fileBytes() - Integer.BYTES);
            int actual = FileChecksums.ofPart(channel, header.contentStart(), header.contentBytes());
            if (actual != expected.getInt(0)) {
                throw new IOException("a file of blocks has damaged blocks");
            }
            return new BlockFile(operations, path, header);
        } catch (IOException failure) {
            throw new IOException(path + ": " + failure.getMessage(), failure);
        }
    }

    /** Where it comes from. */
    public Origin origin() {
        return header.origin();
    }

    /** Number of blocks of the whole store. */
    public long storeBlocks() {
        return header.storeBlocks();
    }

    /** Whether blocks have different sizes. */
    public boolean isVariable() {
        return header.isVariable();
    }

    /** Size of each block, or 0 when they have different ones. */
    public long blockSizeBytes() {
        return header.blockSizeBytes();
    }

    /** The blocks that it has. */
    public BlockRanges ranges() {
        return header.ranges();
    }

    /** Bytes of blocks of this file, which follow one another. */
    public long bytesOf(BlockRange blocks) {
        long first = header.ranges().indexOf(blocks.first());
        return header.startOf(first + blocks.count()) - header.startOf(first);
    }

    /**
     * Reads blocks that follow one another.
     *
     * @param blocks all of them within one run of {@link #ranges}
     * @param destination as long as they are
     */
    public void read(BlockRange blocks, MemorySegment destination) throws IOException {
        readContent(header.startOf(header.ranges().indexOf(blocks.first())), destination);
    }

    private void readContent(long start, MemorySegment destination) throws IOException {
        try (FileChannel channel = operations.openForReading(path)) {
            long done = 0;
            while (done < destination.byteSize()) {
                long bytes = Math.min(MOST_PIECE_BYTES, destination.byteSize() - done);
                readFully(channel, destination.asSlice(done, bytes).asByteBuffer(),
                        header.contentStart() + start + done);
                done += bytes;
            }
        }
    }

    private static void readFully(FileChannel channel, ByteBuffer destination, long position) throws IOException {
        long at = position;
        while (destination.hasRemaining()) {
            int read = channel.read(destination, at);
            if (read < 0) {
                throw new EOFException("a file of blocks has become shorter");
            }
            at += read;
        }
    }

    /** Adds all blocks of the file to a submission, which will read them in pieces. */
    public void addTo(Submission submission) {
        for (BlockRange run : header.ranges().runs()) {
            RunReader reader = new RunReader(run);
            if (header.isVariable()) {
                submission.add(run, id -> bytesOf(BlockRange.of(id, 1)), reader::write);
            } else {
                submission.add(run, reader::write);
            }
        }
    }

    /** Gives the blocks of a run one after another, from a piece of the file. */
    private final class RunReader {
        private final long end;
        private MemorySegment piece = MemorySegment.NULL;
        /** Where the piece begins in the content. */
        private long pieceStart;

        RunReader(BlockRange run) {
            end = header.startOf(header.ranges().indexOf(run.first()) + run.count());
        }

        void write(long blockId, MemorySegment block) {
            long start = header.startOf(header.ranges().indexOf(blockId));
            try {
                if (block.byteSize() > MOST_PIECE_BYTES) {
                    readContent(start, block);
                    return;
                }
                if (start < pieceStart || start + block.byteSize() > pieceStart + piece.byteSize()) {
                    pieceStart = start;
                    piece = MemorySegment.ofArray(new byte[(int) Math.min(MOST_PIECE_BYTES, end - start)]);
                    readContent(start, piece);
                }
                MemorySegment.copy(piece, start - pieceStart, block, 0, block.byteSize());
            } catch (IOException unreadable) {
                throw new UncheckedIOException(path + " can't be read any more: " + unreadable.getMessage(),
                        unreadable);
            }
        }
    }
}
