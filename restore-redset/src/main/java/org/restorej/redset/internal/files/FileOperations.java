package org.restorej.redset.internal.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;

/**
 * All operations on the file system. {@link #system()} performs them; other implementations can observe them or
 * simulate failures. Thread-safe.
 */
public interface FileOperations {
    /** Permissions of a file that all users may read, subject to the umask. */
    int READABLE = 0_666;
    /** Permissions of a file that only its owner may read. */
    int PRIVATE = 0_600;

    /** The file system of the machine. Never changes owners. */
    static FileOperations system() {
        return SystemFileOperations.INSTANCE;
    }

    /** The file system of the machine. Restores recorded owners if this process has the permission. */
    static FileOperations restoringOwners() {
        return SystemFileOperations.RESTORING_OWNERS;
    }

    /** Opens a regular file for reading. Fails at once for any other file, such as a named pipe. */
    FileChannel openForReading(Path path) throws IOException;

    /**
     * The bytes of a file that contains exactly one block.
     *
     * @throws IOException if it is no regular file, longer than any such file, or truncated meanwhile
     */
    default byte[] readBlock(Path path) throws IOException {
        try (FileChannel channel = openForReading(path)) {
            long sizeBytes = channel.size();
            if (sizeBytes > KvTreeBlock.MAX_BYTES) {
                throw new FormatException(
                        path + " must have at most " + KvTreeBlock.MAX_BYTES + " bytes: " + sizeBytes);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) sizeBytes);
            readFully(channel, path, bytes, 0);
            return bytes.array();
        }
    }

    /**
     * The block at the beginning of a file. A payload may follow.
     *
     * @throws IOException if it is no regular file, or doesn't begin with a complete and valid block
     */
    default KvTreeBlock readHeader(Path path) throws IOException {
        try (FileChannel channel = openForReading(path)) {
            return KvTreeBlock.read(channel, channel.size());
        }
    }

    /**
     * Fills a buffer from a position.
     *
     * @param path of the file, for errors
     * @throws IOException if the file can't be read or is too short
     */
    static void readFully(FileChannel channel, Path path, ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int read = channel.read(target, at);
            if (read < 0) {
                throw new EOFException(path + " must have at least " + (at + target.remaining())
                        + " bytes, but ends after " + at);
            }
            at += read;
        }
    }

    /**
     * Creates a file for reading and writing, which must not exist.
     *
     * @param permissions such as {@link #READABLE}, reduced by the umask
     */
    FileChannel createNew(Path path, int permissions) throws IOException;

    /** Opens a file of {@link #createNew} again for reading and writing. */
    FileChannel openAgain(Path path) throws IOException;

    /**
     * Opens a file to overwrite and read it, if it will be indistinguishable from a new one.
     *
     * @param fresh a file that was created just now
     * @return empty if the file is no regular file, has another name too, whose content must stay, has another owner,
     *         group or mode than the fresh one, or can't be opened
     */
    Optional<FileChannel> openToOverwrite(Path path, Path fresh) throws IOException;

    /** Writes all bytes at a position. */
    void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException;

    /** Sets the length of a file. Added bytes are zeros. */
    void setSize(FileChannel channel, long sizeBytes) throws IOException;

    /** Waits until content and metadata of a file are on the disk. */
    void force(FileChannel channel) throws IOException;

    /** Waits until the entries of a directory are on the disk. */
    void forceDirectory(Path directory) throws IOException;

    /** Renames a file atomically, replacing the target. */
    void replace(Path source, Path target) throws IOException;

    /** Creates a directory in an existing one, unless it exists. */
    void createDirectory(Path directory) throws IOException;

    /**
     * Creates a directory with missing parents, and waits until their names are on the disk. Otherwise a crash could
     * lose protected files with their directory.
     */
    default void createDirectories(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null || isThere(directory)) {
            // Rejects a file that is no directory.
            createDirectory(directory);
            return;
        }
        createDirectories(parent);
        createDirectory(directory);
        forceDirectory(parent);
    }

    /** Deletes a file if it exists. */
    void delete(Path path) throws IOException;

    /**
     * Whether a directory has an entry of this name, including dangling links.
     *
     * @throws IOException if that can't be determined
     */
    boolean isThere(Path path) throws IOException;

    /** The present mode, owner and times of a file. */
    FileMetadata metadata(Path path) throws IOException;

    /**
     * Restores mode, times of access and modification in nanoseconds, and perhaps owner and group. Recorded values are
     * not trusted: the file gets no set-id and sticky bits, and a link in its place is not followed. The owner is
     * changed only by {@link #restoringOwners}. The group is also changed otherwise if the file belongs to the recorded
     * user, who is not root. Java sets times before 1970 that are not whole seconds to 1970.
     */
    void restoreMetadata(Path path, FileMetadata metadata) throws IOException;

    /** Sets the time of the last access, and keeps that of the last modification. */
    void setAccessTime(Path path, Timestamp time) throws IOException;
}
