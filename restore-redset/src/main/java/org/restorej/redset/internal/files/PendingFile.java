package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.FileMetadata;

/**
 * A file that is written under a temporary name beside its target, and replaces the target when it is complete. The
 * target is unchanged until {@link #publish}; {@link #close} before it removes the file.
 *
 * <p>
 * Several threads may write at a time. All other methods are not thread-safe.
 */
public final class PendingFile implements AutoCloseable {
    /** Extension of incomplete files. They may be deleted after a crash. */
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
     * Starts overwriting an existing file with the temporary name. The caller writes all bytes up to the size that it
     * passes to {@link #finish}.
     */
    PendingFile(FileOperations operations, Path target, Path directory, Path temporary, FileChannel channel) {
        this.operations = operations;
        this.target = target;
        this.directory = directory;
        this.temporary = temporary;
        this.channel = channel;
    }

    /**
     * Starts a file that all users may read. Creates the directory if necessary.
     *
     * @param operations the file system
     * @param target final path of the file
     */
    public static PendingFile create(FileOperations operations, Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        // Not derived from the target's name, which may have the maximum length.
        Path directory = absolute.getParent();
        if (directory == null) {
            throw new IOException("the name of a file is needed: " + target);
        }
        operations.createDirectories(directory);
        return create(operations, absolute, directory.resolve("." + uniqueId() + EXTENSION),
                FileOperations.READABLE);
    }

    /**
     * Starts a file with a temporary name of the caller's choice, in an existing directory.
     *
     * @param permissions as for {@link FileOperations#createNew}
     */
    static PendingFile create(FileOperations operations, Path target, Path temporary, int permissions)
            throws IOException {
        Path directory = Objects.requireNonNull(temporary.getParent(), "temporary is a file in a directory");
        try {
            return new PendingFile(operations, target, directory, temporary,
                    operations.createNew(temporary, permissions));
        } catch (FileSystemException failure) {
            throw Unreachable.unwritable(directory, failure);
        }
    }

    /**
     * An id of temporary files and commits, from the time and a random number. It need not be secret, and
     * {@link UUID#randomUUID} would load the JVM's cryptography, which takes 20 ms.
     */
    public static UUID uniqueId() {
        // Processes that started in the same nanosecond draw the same random numbers, but hardly ever at the same
        // time.
        return new UUID(System.currentTimeMillis(),
                ThreadLocalRandom.current().nextLong() ^ Long.rotateLeft(System.nanoTime(), Integer.SIZE));
    }

    /** Closes the file. From now on it is open only during use. */
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

    /** Final path of the file. */
    public Path target() {
        return target;
    }

    /** Writes the remaining bytes of a buffer. */
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
     * Writes the content to the disk. Called after all writes, before {@link #publish}.
     *
     * @param sizeBytes length of the file
     * @param metadata for {@link FileOperations#restoreMetadata}, or null for the defaults
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

    /** CRC-32 of the first bytes, as in zip; called after the last write. */
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

    /** Keeps the file, which is closed, under its temporary name. The caller renames it. */
    void leave() {
        settled = true;
    }

    /** Deletes the file if it was neither published nor left. */
    @Override
    public void close() throws IOException {
        closeChannel();
        if (!settled) {
            operations.delete(temporary);
        }
    }

    /** As {@link #close}, but only logs a failure. */
    void discard() {
        try {
            close();
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "a file of no use can''t be removed: {0}", failure.getMessage());
        }
    }

    /** Files that are written under temporary names and replace their targets together. Not thread-safe. */
    public interface PendingFiles extends AutoCloseable {
        /** Creates a file under a temporary name that all users may read. */
        default PendingFile create(Path target) throws IOException {
            return create(target, FileOperations.READABLE);
        }

        /**
         * Creates a file under a temporary name.
         *
         * @param permissions as for {@link FileOperations#createNew}
         */
        PendingFile create(Path target, int permissions) throws IOException;

        /** Deletes the files that were not published, as far as possible. */
        @Override
        void close();
    }
}
