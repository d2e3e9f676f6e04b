package org.restorej.redset.internal.blocks;

import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;

/**
 * Writes a block file under a temporary name, and renames it after all blocks are written. Takes the blocks one by one
 * through a buffer of one chunk, and keeps 4 bytes for each chunk. Not thread-safe.
 */
public final class BlockFileWriter implements AutoCloseable {
    private final Origin origin;
    private final long storeBlocks;
    private final long blockSizeBytes;
    private final BlockRanges ranges;
    private final Description description;
    private final long @Nullable [] sizesBytes;
    private final PendingFile file;
    /** Off the heap: the JDK would copy a chunk of an array once more for each write. */
    private final Arena arena;
    private final MemorySegment bufferMemory;
    private final ByteBuffer buffer;
    private final IntList checksums = new IntArrayList();
    private final long contentStart;
    private long written;
    private long taken;

    /**
     * Starts a file.
     *
     * @param storeBlocks number of blocks of the whole store
     * @param blockSizeBytes size of each block, at least 1, or 0 if sizes differ
     * @param ranges the blocks that will be appended
     * @param description the application's description of the blocks
     */
    public BlockFileWriter(FileOperations operations, Path path, Origin origin, long storeBlocks, long blockSizeBytes,
            BlockRanges ranges, Description description) throws IOException {
        this.origin = origin;
        this.storeBlocks = storeBlocks;
        this.blockSizeBytes = blockSizeBytes;
        this.ranges = ranges;
        this.description = description;
        boolean variable = blockSizeBytes == BlockFileHeader.VARIABLE;
        if (variable && ranges.blockCount() > BlockFile.MAX_VARIABLE_BLOCKS) {
            throw new IOException("a file can have at most " + BlockFile.MAX_VARIABLE_BLOCKS
                    + " blocks of different sizes: " + ranges.blockCount());
        }
        sizesBytes = variable ? new long[(int) ranges.blockCount()] : null;
        contentStart = BlockFileHeader.headerBytes(ranges, variable, description) + Integer.BYTES;
        arena = NativeMemory.openShared();
        try {
            bufferMemory = arena.allocate(BlockFileHeader.CHUNK_BYTES);
            buffer = bufferMemory.asByteBuffer();
            file = PendingFile.create(operations, path);
        } catch (Throwable failed) {
            arena.close();
            throw failed;
        }
    }

    /** Appends the next block, in ascending order of ids. */
    public void append(MemorySegment block) throws IOException {
        append(block, 1);
    }

    /** Appends the next blocks; only one if sizes differ. */
    public void append(MemorySegment block, long count) throws IOException {
        if (sizesBytes != null) {
            sizesBytes[Math.toIntExact(taken)] = block.byteSize();
        }
        taken += count;
        long done = 0;
        while (done < block.byteSize()) {
            int bytes = (int) Math.min(buffer.remaining(), block.byteSize() - done);
            MemorySegment.copy(block, done, bufferMemory, buffer.position(), bytes);
            buffer.position(buffer.position() + bytes);
            done += bytes;
            if (!buffer.hasRemaining()) {
                flush();
            }
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        CRC32C checksum = new CRC32C();
        checksum.update(buffer.duplicate());
        checksums.add((int) checksum.getValue());
        file.write(contentStart + written, buffer);
        written += buffer.limit();
        buffer.clear();
    }

    /** Completes the file on the disk, and renames it to its final name. */
    public void publish() throws IOException {
        if (taken != ranges.blockCount()) {
            throw new IllegalStateException(taken + " of " + ranges.blockCount() + " blocks were written");
        }
        if (buffer.position() > 0) {
            flush();
        }
        writeChecksums();
        BlockFileHeader header = new BlockFileHeader(origin, storeBlocks, blockSizeBytes, ranges, description,
                sizesBytes);
        header.write(file);
        file.finish(header.fileBytes(), null);
        file.publish();
    }

    private void writeChecksums() throws IOException {
        long position = contentStart + written;
        for (int chunk = 0; chunk < checksums.size(); chunk++) {
            buffer.putInt(checksums.getInt(chunk));
            if (!buffer.hasRemaining() || chunk == checksums.size() - 1) {
                buffer.flip();
                file.write(position, buffer);
                position += buffer.limit();
                buffer.clear();
            }
        }
    }

    /** Deletes the file if it was not published. Has no effect if called again. */
    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }
}
