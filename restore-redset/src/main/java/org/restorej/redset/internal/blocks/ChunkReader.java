package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Reads block files chunk by chunk, and compares each chunk with its checksum. Keeps the last chunk, so that reading a
 * file in order reads each byte once. Memory: one chunk, for any number of files. Not thread-safe.
 */
final class ChunkReader {
    private final FileOperations operations;
    private @Nullable BlockFile file;
    private long chunk;
    private MemorySegment content = MemorySegment.NULL;

    ChunkReader(FileOperations operations) {
        this.operations = operations;
    }

    /**
     * Reads bytes of the blocks of a file.
     *
     * @throws DamagedBlocksException if the file can't be read or its checksum differs
     */
    void read(BlockFile source, long start, MemorySegment destination) throws DamagedBlocksException {
        long done = 0;
        while (done < destination.byteSize()) {
            load(source, (start + done) / BlockFileHeader.CHUNK_BYTES);
            long from = (start + done) % BlockFileHeader.CHUNK_BYTES;
            long bytes = Math.min(content.byteSize() - from, destination.byteSize() - done);
            MemorySegment.copy(content, from, destination, done, bytes);
            done += bytes;
        }
    }

    /** Compares a whole file with its checksums. */
    void verify(BlockFile source) throws DamagedBlocksException {
        for (long index = 0; index < source.header().chunks(); index++) {
            load(source, index);
        }
    }

    private void load(BlockFile source, long index) throws DamagedBlocksException {
        if (index == chunk && file != null && file.path().equals(source.path())) {
            return;
        }
        file = null;
        BlockFileHeader header = source.header();
        ByteBuffer bytes = ByteBuffer.allocate(header.chunkBytes(index));
        ByteBuffer expected = ByteBuffer.allocate(Integer.BYTES);
        try (FileChannel channel = operations.openForReading(source.path())) {
            FileOperations.readFully(channel, source.path(), bytes,
                    header.contentStart() + index * BlockFileHeader.CHUNK_BYTES);
            FileOperations.readFully(channel, source.path(), expected, header.checksumStart(index));
        } catch (IOException unreadable) {
            throw new DamagedBlocksException(source.path() + " can't be read any more: " + unreadable.getMessage(),
                    unreadable);
        }
        CRC32C actual = new CRC32C();
        actual.update(bytes.flip());
        if ((int) actual.getValue() != expected.getInt(0)) {
            throw new DamagedBlocksException(source.path() + " has damaged blocks in chunk " + index + " of "
                    + header.chunks());
        }
        content = MemorySegment.ofArray(bytes.array());
        chunk = index;
        file = source;
    }

    /** Blocks of a file can't be read, or their checksum differs. The file counts as lost. */
    static final class DamagedBlocksException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedBlocksException(String message) {
            super(message);
        }

        DamagedBlocksException(String message, IOException cause) {
            super(message, cause);
        }
    }
}
