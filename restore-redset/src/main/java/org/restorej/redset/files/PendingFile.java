package org.restorej.redset.files;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.format.FileMetadata;

/**
 * A file that is written beside its target under another name, and takes the target's place when it is complete. Until
 * {@link #publish} the target is untouched; {@link #close} without it leaves no trace.
 *
 * <p>
 * Writes may come from several threads; the rest is used by one thread at a time.
 */
public final class PendingFile implements AutoCloseable {
    /** Ends the names of files that are not complete; who finds one after a crash may delete it. */
    public static final String EXTENSION = ".restorej-part";

    private final FileOperations operations;
    private final Path target;
    private final Path directory;
    private final Path temporary;
    private final FileChannel channel;
    private boolean published;

    private PendingFile(FileOperations operations, Path target, Path directory, Path temporary, FileChannel channel) {
        this.operations = operations;
        this.target = target;
        this.directory = directory;
        this.temporary = temporary;
        this.channel = channel;
    }

    /**
     * Begins to write; creates the directory when it is missing.
     *
     * @param operations the file system
     * @param target what the file will be called
     */
    public static PendingFile create(FileOperations operations, Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path directory = absolute.getParent();
        Path name = absolute.getFileName();
        if (directory == null || name == null) {
            throw new IOException("the name of a file is needed: " + target);
        }
        operations.createDirectories(directory);
        // Not derived from the target's name, which may be as long as names can be.
        Path temporary = directory.resolve("." + UUID.randomUUID() + EXTENSION);
        return new PendingFile(operations, absolute, directory, temporary, operations.createNew(temporary));
    }

    /** What the file will be called. */
    public Path target() {
        return target;
    }

    /** Writes all bytes of an off-heap or heap segment. */
    public void write(long position, MemorySegment bytes) throws IOException {
        operations.write(channel, bytes.asByteBuffer(), position);
    }

    /** Writes all bytes of an array. */
    public void write(long position, byte[] bytes) throws IOException {
        operations.write(channel, ByteBuffer.wrap(bytes), position);
    }

    /** The file as written so far, to be read again. */
    public FileChannel channel() {
        return channel;
    }

    /**
     * Brings the content to the disk. After all writes, before {@link #publish}.
     *
     * @param sizeBytes how long the file must be
     * @param metadata mode, owner and times that the file gets, or null to leave the defaults
     */
    public void finish(long sizeBytes, @Nullable FileMetadata metadata) throws IOException {
        operations.setSize(channel, sizeBytes);
        if (metadata != null) {
            operations.restoreMetadata(temporary, metadata);
        }
        operations.force(channel);
    }

    /** Puts the file in its place, for good. */
    public void publish() throws IOException {
        channel.close();
        operations.replace(temporary, target);
        published = true;
        operations.forceDirectory(directory);
    }

    /** Removes what was not published. */
    @Override
    public void close() throws IOException {
        channel.close();
        if (!published) {
            operations.delete(temporary);
        }
    }
}
