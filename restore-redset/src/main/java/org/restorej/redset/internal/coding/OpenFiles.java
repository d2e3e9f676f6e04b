package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Files that are read in pieces. Each is opened at its first use, and at most {@value #MAX_OPEN} stay open: the one that
 * was opened first is closed for another. Not thread-safe.
 */
public final class OpenFiles implements AutoCloseable {
    private static final int MAX_OPEN = 64;

    private final FileOperations operations;
    private final List<Path> paths = new ArrayList<>();
    /** By number of the file, in the order of opening. */
    private final SequencedMap<Integer, FileChannel> open = new LinkedHashMap<>();

    /** Creates an empty collection. */
    public OpenFiles(FileOperations operations) {
        this.operations = operations;
    }

    /** Adds a file and returns its number. Opens nothing. */
    int add(Path path) {
        paths.add(path);
        return paths.size() - 1;
    }

    Path path(int file) {
        return paths.get(file);
    }

    /** The channel of a file, open until the next call. */
    FileChannel channel(int file) throws IOException {
        FileChannel channel = open.get(file);
        if (channel == null) {
            if (open.size() == MAX_OPEN) {
                open.pollFirstEntry().getValue().close();
            }
            channel = operations.openForReading(paths.get(file));
            open.put(file, channel);
        }
        return channel;
    }

    /** Writes the content of a file to the disk. */
    void force(int file) throws IOException {
        operations.force(channel(file));
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : open.values()) {
            channel.close();
        }
    }
}
