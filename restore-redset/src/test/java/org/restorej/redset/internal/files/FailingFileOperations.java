package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.restorej.redset.internal.format.FileMetadata;

/**
 * Fails at one chosen change of the file system. As a full disk does, once; or as a crash does, from then on: nothing
 * is cleaned up after it. Or the process fails there: it changes nothing any more, either.
 */
public final class FailingFileOperations extends ForwardingFileOperations {
    private final int failAt;
    private final boolean crash;
    private final Runnable failure;
    private final AtomicInteger changes = new AtomicInteger();

    /** Fails at change {@code failAt}, counted from 0. */
    public FailingFileOperations(int failAt, boolean crash) {
        this(failAt, crash, () -> {});
    }

    private FailingFileOperations(int failAt, boolean crash, Runnable failure) {
        this.failAt = failAt;
        this.crash = crash;
        this.failure = failure;
    }

    /**
     * Of a process that fails at change {@code failAt}, counted from 0.
     *
     * @param failure lets it fail, and throws; called again at every change that it attempts afterwards
     */
    public static FailingFileOperations ofProcess(int failAt, Runnable failure) {
        return new FailingFileOperations(failAt, true, failure);
    }

    /** Whether the failure has happened. */
    public boolean hasFailed() {
        return changes.get() > failAt;
    }

    private void change(String operation) throws IOException {
        int change = changes.getAndIncrement();
        if (crash ? change >= failAt : change == failAt) {
            failure.run();
            throw new IOException("No space left on device: " + operation);
        }
    }

    @Override
    public FileChannel createNew(Path path, int permissions) throws IOException {
        change("create");
        return super.createNew(path, permissions);
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        int change = changes.get();
        if (change == failAt && bytes.remaining() > 1) {
            // A full disk takes a part of what is written.
            super.write(channel, bytes.duplicate().limit(bytes.position() + bytes.remaining() / 2), position);
        }
        change("write");
        super.write(channel, bytes, position);
    }

    @Override
    public void setSize(FileChannel channel, long sizeBytes) throws IOException {
        change("set size");
        super.setSize(channel, sizeBytes);
    }

    @Override
    public void force(FileChannel channel) throws IOException {
        change("force");
        super.force(channel);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        change("force directory");
        super.forceDirectory(directory);
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        change("rename");
        super.replace(source, target);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        change("create directory");
        super.createDirectory(directory);
    }

    @Override
    public void delete(Path path) throws IOException {
        change("delete");
        super.delete(path);
    }

    @Override
    public void restoreMetadata(Path path, FileMetadata metadata) throws IOException {
        change("restore metadata");
        super.restoreMetadata(path, metadata);
    }
}
