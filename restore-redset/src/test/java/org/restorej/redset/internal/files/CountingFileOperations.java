package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;

/** Reads as the system does, at given positions only, and counts the bytes. Thread-safe; writes nothing. */
public final class CountingFileOperations implements FileOperations {
    private final FileOperations real = FileOperations.system();
    private final AtomicLong readBytes = new AtomicLong();

    /** Bytes that were read. */
    public long readBytes() {
        return readBytes.get();
    }

    @Override
    public FileChannel openForReading(Path path) throws IOException {
        return new CountingChannel(real.openForReading(path));
    }

    private final class CountingChannel extends FileChannel {
        private final FileChannel channel;

        CountingChannel(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer destination, long position) throws IOException {
            int bytes = channel.read(destination, position);
            readBytes.addAndGet(Math.max(0, bytes));
            return bytes;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            channel.close();
        }

        @Override
        public int read(ByteBuffer destination) throws IOException {
            int bytes = channel.read(destination);
            readBytes.addAndGet(Math.max(0, bytes));
            return bytes;
        }

        @Override
        public long read(ByteBuffer[] destinations, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metadata) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }

    @Override
    public FileChannel createNew(Path path, int permissions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel openAgain(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<FileChannel> openToOverwrite(Path path, Path fresh) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setSize(FileChannel channel, long sizeBytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(FileChannel channel) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forceDirectory(Path directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replace(Path source, Path target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void createDirectory(Path directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isThere(Path path) throws IOException {
        return real.isThere(path);
    }

    @Override
    public FileMetadata metadata(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void restoreMetadata(Path path, FileMetadata metadata) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAccessTime(Path path, Timestamp time) {
        throw new UnsupportedOperationException();
    }
}
