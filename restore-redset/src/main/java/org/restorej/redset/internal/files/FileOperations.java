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
 * Everything that is done to the file system. {@link #system()} does it; another implementation can watch it, or let it
 * fail. Thread-safe.
 */
public interface FileOperations {
    /** Permissions of a file that everybody may read whom the umask lets. */
    int READABLE = 0_666;
    /** Permissions of a file that only its owner may read. */
    int PRIVATE = 0_600;

    /** The file system of the machine. Gives no file to another user, whatever is recorded. */
    static FileOperations system() {
        return SystemFileOperations.INSTANCE;
    }

    /** The file system of the machine. Gives files to the owners recorded, as far as the system lets this process. */
    static FileOperations restoringOwners() {
        return SystemFileOperations.RESTORING_OWNERS;
    }

    /** Opens a regular file to read; fails at once for anything else, such as a named pipe. */
    FileChannel openForReading(Path path) throws IOException;

    /**
     * The bytes of a file that holds one block and nothing else.
     *
     * @throws IOException when it is no regular file, longer than any such file, or shrinks meanwhile
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
     * The block that a file begins with; a payload may follow.
     *
     * @throws IOException when it is no regular file, or doesn't begin with a whole and sound block
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
     * @throws IOException when it can't be read, or ends too early
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
     * Creates a file that must not exist, to write and read.
     *
     * @param permissions of {@link #READABLE}, of which the umask takes some away
     */
    FileChannel createNew(Path path, int permissions) throws IOException;

    /** Opens a file of {@link #createNew} again, to write and read. */
    FileChannel openAgain(Path path) throws IOException;

    /**
     * Opens a file to write over its content, and to read, when nobody can tell it from a new one afterwards.
     *
     * @param fresh a file that was created just now
     * @return empty when it is no regular file, also has another name, whose content must stay, has another owner, group
     *         or mode than the fresh one, or can't be opened
     */
    Optional<FileChannel> openToOverwrite(Path path, Path fresh) throws IOException;

    /** Writes all bytes at a position. */
    void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException;

    /** Makes the file exactly this long; what is added reads as zeros. */
    void setSize(FileChannel channel, long sizeBytes) throws IOException;

    /** Waits until content and metadata of a file are on the disk. */
    void force(FileChannel channel) throws IOException;

    /** Waits until the entries of a directory are on the disk. */
    void forceDirectory(Path directory) throws IOException;

    /** Renames, replacing the target, atomically. */
    void replace(Path source, Path target) throws IOException;

    /** Creates a directory in one that is there, unless it is there already. */
    void createDirectory(Path directory) throws IOException;

    /**
     * Creates a directory and what is missing above it, and waits until their names are on the disk: what is protected
     * in it may be lost with its name otherwise.
     */
    default void createDirectories(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null || isThere(directory)) {
            // Refuses what is no directory.
            createDirectory(directory);
            return;
        }
        createDirectories(parent);
        createDirectory(directory);
        forceDirectory(parent);
    }

    /** Deletes a file if it is there. */
    void delete(Path path) throws IOException;

    /**
     * Whether a directory has such a name, also that of a link that leads nowhere.
     *
     * @throws IOException when that can't be found out
     */
    boolean isThere(Path path) throws IOException;

    /** Mode, owner and times of a file as they are. */
    FileMetadata metadata(Path path) throws IOException;

    /**
     * Restores mode, times of access and modification to the nanosecond, and perhaps owner and group. What is recorded
     * may be anybody's input, so the file gets none of the set-id and sticky bits, and a link in its place is
     * not followed. It gets another user by {@link #restoringOwners}
     * only; another group also otherwise, when it belongs to the user recorded, who is not root. Java sets times before
     * 1970 that are not whole seconds to 1970.
     */
    void restoreMetadata(Path path, FileMetadata metadata) throws IOException;

    /** Sets the time of the last access, and leaves that of the last write. */
    void setAccessTime(Path path, Timestamp time) throws IOException;
}
