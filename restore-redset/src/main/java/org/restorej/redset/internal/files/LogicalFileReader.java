package org.restorej.redset.internal.files;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a rank as one logical file, in parts. Past its end are zeros. One file is open at a time. After
 * everything was read once, in any order, the CRC-32C of every file is known. Used by one thread at a time.
 */
public final class LogicalFileReader implements AutoCloseable {
    private final FileOperations operations;
    private final List<Path> paths;
    private final LogicalExtents extents;
    private final ScatteredChecksum[] checksums;
    private int openFile = -1;
    private @Nullable FileChannel channel;

    /**
     * Opens nothing yet.
     *
     * @param operations the file system
     * @param paths the files
     * @param sizes their recorded sizes
     */
    public LogicalFileReader(FileOperations operations, List<Path> paths, long[] sizes) {
        if (paths.size() != sizes.length) {
            throw new IllegalArgumentException(
                    "paths and sizes must be as many: " + paths.size() + ", " + sizes.length);
        }
        this.operations = operations;
        this.paths = List.copyOf(paths);
        this.extents = new LogicalExtents(sizes);
        this.checksums = new ScatteredChecksum[sizes.length];
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = new ScatteredChecksum();
        }
    }

    /**
     * Fills a segment from a position.
     *
     * @throws IOException when a file can't be read or has become shorter
     */
    public void read(long position, MemorySegment target) throws IOException {
        for (LogicalExtents.Part part : extents.parts(position, target.byteSize())) {
            ByteBuffer bytes = target.asSlice(part.offset(), part.bytes()).asByteBuffer();
            FileOperations.readFully(open(part.file()), paths.get(part.file()), bytes, part.positionInFile());
            checksums[part.file()].add(part.positionInFile(), bytes.flip());
        }
        target.asSlice(extents.covered(position, target.byteSize())).fill((byte) 0);
    }

    private FileChannel open(int file) throws IOException {
        FileChannel opened = channel;
        if (opened == null || openFile != file) {
            close();
            opened = operations.openForReading(paths.get(file));
            channel = opened;
            openFile = file;
        }
        return opened;
    }

    /** CRC-32C of a file, when all of it has been read, in parts that don't overlap. */
    public OptionalInt checksum(int file) {
        return checksums[file].of(extents.size(file));
    }

    /** Closes the file that is open; reading again opens it again. */
    @Override
    public void close() throws IOException {
        FileChannel opened = channel;
        channel = null;
        openFile = -1;
        if (opened != null) {
            opened.close();
        }
    }
}
