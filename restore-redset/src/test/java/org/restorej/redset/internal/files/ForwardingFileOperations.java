package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;

/** Does all as {@link FileOperations#system} does. A subclass does something otherwise. */
public abstract class ForwardingFileOperations implements FileOperations {
    private final FileOperations real = FileOperations.system();

    @Override
    public FileChannel openForReading(Path path) throws IOException {
        return real.openForReading(path);
    }

    @Override
    public FileChannel createNew(Path path, int permissions) throws IOException {
        return real.createNew(path, permissions);
    }

    @Override
    public FileChannel openAgain(Path path) throws IOException {
        return real.openAgain(path);
    }

    @Override
    public Optional<FileChannel> openToOverwrite(Path path, Path fresh) throws IOException {
        return real.openToOverwrite(path, fresh);
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        real.write(channel, bytes, position);
    }

    @Override
    public void setSize(FileChannel channel, long sizeBytes) throws IOException {
        real.setSize(channel, sizeBytes);
    }

    @Override
    public void force(FileChannel channel) throws IOException {
        real.force(channel);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        real.forceDirectory(directory);
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        real.replace(source, target);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        real.createDirectory(directory);
    }

    @Override
    public void delete(Path path) throws IOException {
        real.delete(path);
    }

    @Override
    public boolean isThere(Path path) throws IOException {
        return real.isThere(path);
    }

    @Override
    public FileMetadata metadata(Path path) throws IOException {
        return real.metadata(path);
    }

    @Override
    public void restoreMetadata(Path path, FileMetadata metadata) throws IOException {
        real.restoreMetadata(path, metadata);
    }

    @Override
    public void setAccessTime(Path path, Timestamp time) throws IOException {
        real.setAccessTime(path, time);
    }
}
