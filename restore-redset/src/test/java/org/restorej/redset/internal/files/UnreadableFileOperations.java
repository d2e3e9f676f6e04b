package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Fails to open some files for reading, as a disk does that has failed. All else is done. */
public final class UnreadableFileOperations extends ForwardingFileOperations {
    private final Predicate<Path> unreadable;
    private final AtomicInteger hits = new AtomicInteger();

    /** These files can't be read. */
    public UnreadableFileOperations(Predicate<Path> unreadable) {
        this.unreadable = unreadable;
    }

    /** How often one of them was to be read. */
    public int hits() {
        return hits.get();
    }

    @Override
    public FileChannel openForReading(Path path) throws IOException {
        if (unreadable.test(path)) {
            hits.incrementAndGet();
            throw new FileSystemException(path.toString(), null, "Input/output error");
        }
        return super.openForReading(path);
    }
}
