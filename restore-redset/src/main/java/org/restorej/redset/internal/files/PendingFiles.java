package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Path;

/** Files that are written under other names and replace their targets together. Used by one thread. */
public interface PendingFiles extends AutoCloseable {
    /** Creates the file under another name. */
    PendingFile create(Path target) throws IOException;

    /** Deletes the files that were not published, as far as possible. */
    @Override
    void close();
}
