package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Files that are read in pieces. Each is opened at its first use, and at most {@value #MAX_OPEN} stay open: the least
 * recently used one is closed for another. Not thread-safe.
 */
public final class OpenFiles implements AutoCloseable {
    private static final int MAX_OPEN = 64;

    private final FileOperations operations;
    private final List<OpenFile> files = new ArrayList<>();
    private int open;
    private long uses;

    /** A file and its last use. */
    private static final class OpenFile {
        private final Path path;
        private @Nullable FileChannel channel;
        private long lastUse;

        OpenFile(Path path) {
            this.path = path;
        }
    }

    /** Creates an empty collection. */
    public OpenFiles(FileOperations operations) {
        this.operations = operations;
    }

    /** Adds a file and returns its number. Opens nothing. */
    int add(Path path) {
        files.add(new OpenFile(path));
        return files.size() - 1;
    }

    Path path(int file) {
        return files.get(file).path;
    }

    /** The channel of a file, open until the next call. */
    FileChannel channel(int file) throws IOException {
        OpenFile wanted = files.get(file);
        wanted.lastUse = ++uses;
        FileChannel channel = wanted.channel;
        if (channel == null) {
            if (open == MAX_OPEN) {
                closeLongestUnused();
            }
            channel = operations.openForReading(wanted.path);
            wanted.channel = channel;
            open++;
        }
        return channel;
    }

    private void closeLongestUnused() throws IOException {
        OpenFile oldest = null;
        for (OpenFile file : files) {
            if (file.channel != null && (oldest == null || file.lastUse < oldest.lastUse)) {
                oldest = file;
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    private void close(OpenFile file) throws IOException {
        FileChannel channel = file.channel;
        if (channel != null) {
            file.channel = null;
            open--;
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (OpenFile file : files) {
            close(file);
        }
    }
}
