package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Path;

/** Files that are written under other names, and take their places together. Used by one thread. */
public interface PendingFiles extends AutoCloseable {
    /** Begins a file. */
    PendingFile create(Path target) throws IOException;

    /** Removes what takes no place, as far as that can be done. */
    @Override
    void close();
}
