package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;

/** Restores the access times of files that were read, so that checks leave no trace. Not thread-safe. */
public final class AccessTimes implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AccessTimes.class.getName());

    private final FileOperations operations;
    private final Map<Path, Timestamp> before = new HashMap<>();

    /** Records the access times of those files that exist. */
    public AccessTimes(FileOperations operations, Collection<Path> files) {
        this.operations = operations;
        for (Path file : files) {
            if (Files.isRegularFile(file)) {
                takeDown(file);
            }
        }
    }

    private void takeDown(Path file) {
        try {
            before.put(file, operations.metadata(file).accessTime());
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.DEBUG, "a file without a time of access: {0}",
                    Objects.toString(unreadable.getMessage()));
        }
    }

    /** Restores changed access times, if this process has the permission. */
    @Override
    public void close() {
        before.forEach((file, time) -> {
            try {
                if (!operations.metadata(file).accessTime().equals(time)) {
                    operations.setAccessTime(file, time);
                }
            } catch (IOException refused) {
                LOG.log(System.Logger.Level.DEBUG, "a time of access can''t be set back: {0}",
                        Objects.toString(refused.getMessage()));
            }
        });
    }
}
