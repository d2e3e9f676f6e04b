package org.restorej.redset.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was there before a {@link FileTransaction} publishes its files, under second names, so that it can be put back
 * when the files of others could not be published. One of {@link #putBack} and {@link #forget} is called at the end. Used
 * by one thread.
 */
public final class KeptFiles {
    private final FileOperations operations;
    private final List<Kept> files = new ArrayList<>();

    private record Kept(Path target, @Nullable Path secondName) {}

    /** Nothing is kept yet. */
    public KeptFiles(FileOperations operations) {
        this.operations = operations;
    }

    /** Keeps what has this name, also when that is nothing. */
    public void keep(Path target) throws IOException {
        if (!Files.exists(target)) {
            files.add(new Kept(target, null));
            return;
        }
        Path secondName = target.resolveSibling("." + UUID.randomUUID() + PendingFile.EXTENSION);
        operations.keep(target, secondName);
        files.add(new Kept(target, secondName));
    }

    /** Puts everything back, as far as that can be done; says what could not. */
    public void putBack() throws IOException {
        IOException first = null;
        for (Kept file : files.reversed()) {
            try {
                if (file.secondName() == null) {
                    operations.delete(file.target());
                } else {
                    // When both are still the same file, a rename does nothing.
                    operations.replace(file.secondName(), file.target());
                    operations.delete(file.secondName());
                }
            } catch (IOException failure) {
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Lets go of what was kept. */
    public void forget() throws IOException {
        for (Kept file : files) {
            if (file.secondName() != null) {
                operations.delete(file.secondName());
            }
        }
    }
}
