package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Path;

/** Files that are written under other names and replace their targets together. Used by one thread. */
public interface PendingFiles extends AutoCloseable {
    /** Creates the file under another name, for everybody to read. */
    default PendingFile create(Path target) throws IOException {
        return create(target, FileOperations.READABLE);
    }

    /**
     * Creates the file under another name.
     *
     * @param permissions as of {@link FileOperations#createNew}
     */
    PendingFile create(Path target, int permissions) throws IOException;

    /** Deletes the files that were not published, as far as possible. */
    @Override
    void close();
}
