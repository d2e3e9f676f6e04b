package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.List;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;

/** One directory to work on, with sets of redset. */
public final class OneDirectory {
    private OneDirectory() {}

    /** The sets in it. */
    public static OfflineRedset redset(Path directory, PathPolicy policy, int threads) {
        return new OfflineRedset(FileOperations.system(), List.of(directory), (redset, contents, content) -> {}, policy,
                threads, List.of(), LostDirectories.UNSAID);
    }
}
