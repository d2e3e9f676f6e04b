package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.scr.ScrSets;

/** One directory to work on, with sets of redset. */
public final class OneDirectory {
    private OneDirectory() {}

    /** The sets in it. */
    public static OfflineRedset redset(Path directory, PathPolicy policy) {
        return redset(FileOperations.system(), directory, policy);
    }

    /** Verifies the sets in it, and rebuilds what is damaged of those that can be rebuilt. */
    public static List<SetInspection> rebuild(OfflineRedset redset) throws IOException {
        List<SetInspection> verified = redset.verify().sets();
        for (SetInspection set : verified) {
            if (set.state() == SetInspection.State.REPAIRABLE) {
                set.rebuild(total -> bytes -> {});
            }
        }
        return verified;
    }

    /** The sets in it, on another file system. */
    public static OfflineRedset redset(FileOperations operations, Path directory, PathPolicy policy) {
        return new OfflineRedset(operations, LostMemberPlaces.in(directory),
                new ScrSets(), policy);
    }
}
