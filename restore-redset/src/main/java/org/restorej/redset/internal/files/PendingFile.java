package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.FileMetadata;

/**
 * A file that is written under another name beside its target, and replaces the target when it is complete. Before
 * {@link #publish} the target is not touched; {@link #close} without it leaves no trace.
 *
 * <p>
 * Several threads may write; all else is used by one thread at a time.
 */
public final class PendingFile implements AutoCloseable {
    /** Ends the names of incomplete files. Such a file may be deleted after a crash. */
    public static final String EXTENSION = ".restorej-part";

    private static final System.Logger LOG = System.getLogger(PendingFile.class.getName());

    private final FileOperations operations;
    private final Path target;
    private final Path directory;
    private final Path temporary;
    /** Null while the file is closed between two uses. */
    private @Nullable FileChannel channel;
    private boolean settled;

    /**
     * Begins to write over a file that is there under the temporary name. Whoever uses it writes all bytes up to the
     * size that {@link #finish} gets.
     */
    PendingFile(FileOperations operations, Path target, Path directory, Path temporary, FileChannel channel) {
        this.operations = operations;
        this.target = target;
        this.directory = directory;
        this.temporary = temporary;
        this.channel = channel;
    }

    /**
     * Begins to write a file that everybody may read; creates the directory when it is missing.
     *
     * @param operations the file system
     * @param target what the file will be called
     */
    public static PendingFile create(FileOperations operations, Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        // Not derived from the target's name, which may be as long as names can be.
        Path directory = absolute.getParent();
        if (directory == null) {
            throw new IOException("the name of a file is needed: " + target);
        }
        operations.createDirectories(directory);
        return create(operations, absolute, directory.resolve("." + uniqueId() + EXTENSION),
                FileOperations.READABLE);
    }

    /**
     * Begins to write under a name of the caller's choice, beside the target in a directory that is there.
     *
     * @param permissions as of {@link FileOperations#createNew}
     */
    static PendingFile create(FileOperations operations, Path target, Path temporary, int permissions)
            throws IOException {
        Path directory = Objects.requireNonNull(temporary.getParent(), "temporary is a file in a directory");
        return new PendingFile(operations, target, directory, temporary,
                operations.createNew(temporary, permissions));
    }

    /**
     * An id of temporary files and commits, from the time and a random number. It need not be secret:
     * {@link UUID#randomUUID} would start the JVM's cryptography, which takes 20 ms.
     */
    public static UUID uniqueId() {
        // Processes that have begun in the same nanosecond draw the same random numbers, but hardly ever at the same time.
        return new UUID(System.currentTimeMillis(),
                ThreadLocalRandom.current().nextLong() ^ Long.rotateLeft(System.nanoTime(), Integer.SIZE));
    }

    /** Closes the file. From now on it is open only while it is used. */
    void closeBetweenUses() throws IOException {
        closeChannel();
        channel = null;
    }

    private void closeChannel() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    private FileChannel open() throws IOException {
        FileChannel kept = channel;
        return kept == null ? operations.openAgain(temporary) : kept;
    }

    private void release(FileChannel opened) throws IOException {
        if (channel == null) {
            opened.close();
        }
    }

    /** What the file will be called. */
    public Path target() {
        return target;
    }

    /** Writes what a buffer has left. */
    public void write(long position, ByteBuffer bytes) throws IOException {
        FileChannel opened = open();
        try {
            operations.write(opened, bytes, position);
        } finally {
            release(opened);
        }
    }

    /** Writes all bytes of an array. */
    public void write(long position, byte[] bytes) throws IOException {
        write(position, ByteBuffer.wrap(bytes));
    }

    /**
     * Brings the content to the disk. After all writes, before {@link #publish}.
     *
     * @param sizeBytes how long the file must be
     * @param metadata for {@link FileOperations#restoreMetadata}, or null to leave the defaults
     */
    public void finish(long sizeBytes, @Nullable FileMetadata metadata) throws IOException {
        FileChannel opened = open();
        try {
            operations.setSize(opened, sizeBytes);
            if (metadata != null) {
                operations.restoreMetadata(temporary, metadata);
            }
            operations.force(opened);
        } finally {
            release(opened);
        }
    }

    /** CRC-32 of the first bytes, as zip has it; after the last write. */
    public int crc(long bytes) throws IOException {
        FileChannel opened = open();
        try {
            return FileChecksums.of(opened, 0, bytes, new CRC32());
        } finally {
            release(opened);
        }
    }

    /** Replaces the target by the file, durably. */
    public void publish() throws IOException {
        closeChannel();
        operations.replace(temporary, target);
        settled = true;
        operations.forceDirectory(directory);
    }

    /** Keeps the file under its other name: the caller renames it. */
    void leave() throws IOException {
        closeChannel();
        settled = true;
    }

    /** Removes what was neither published nor left. */
    @Override
    public void close() throws IOException {
        closeChannel();
        if (!settled) {
            operations.delete(temporary);
        }
    }

    /** As {@link #close}, but a failure is only logged. */
    void discard() {
        try {
            close();
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "a file of no use can''t be removed: {0}", failure.getMessage());
        }
    }

    /** Files that are written under other names and replace their targets together. Used by one thread. */
    public interface PendingFiles extends AutoCloseable {
        /** Creates the file under another name, for everybody to read. */
        default PendingFile create(Path target) throws IOException {
            return create(target, FileOperations.READABLE);
        }

        /**
         * Creates the file under another name.
         *
         * @param permissions as of {@link FileOperations#createNew}
         */
        PendingFile create(Path target, int permissions) throws IOException;

        /** Deletes the files that were not published, as far as possible. */
        @Override
        void close();
    }
}
