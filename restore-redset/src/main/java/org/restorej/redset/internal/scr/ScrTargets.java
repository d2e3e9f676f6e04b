package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FilePaths;

/** Finds files that several members of a set would have to be rebuilt to: one of them would be replaced by another. */
final class ScrTargets {
    private ScrTargets() {}

    /**
     * Refuses members of one set with a file in common.
     *
     * @throws IOException when there are such, or a data file is called as redundancy files are
     */
    static void requireDistinct(List<MemberLocation> locations) throws IOException {
        Set<Path> all = new HashSet<>();
        for (MemberLocation location : locations) {
            for (Path path : filesOf(location)) {
                if (!all.add(FilePaths.identity(path))) {
                    throw new IOException(path + " belongs to two members of the set, or twice to one: "
                            + "their files must be different, as in different directories");
                }
            }
            for (Path path : location.files()) {
                if (ScrFormat.isNameOfRedundancy(String.valueOf(path.getFileName()))) {
                    throw new IOException("data files must not be called as redundancy files are: " + path);
                }
            }
        }
    }

    private static List<Path> filesOf(MemberLocation location) {
        return Stream.concat(Stream.of(location.redundancy()), location.files().stream()).toList();
    }
}
