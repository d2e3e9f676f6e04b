package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.offline.SetInspection;

/** Finds files that several members would have to be rebuilt to: one of them would be replaced by another. */
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

    /** The sets, of which none is to be rebuilt that has a file in common with another. */
    static List<SetInspection> distinct(List<SetInspection> sets) throws IOException {
        Map<Path, Set<Integer>> owners = new TreeMap<>();
        for (int i = 0; i < sets.size(); i++) {
            for (MemberLocation location : sets.get(i).locations()) {
                for (Path path : filesOf(location)) {
                    owners.computeIfAbsent(FilePaths.identity(path), absent -> new HashSet<>()).add(i);
                }
            }
        }
        List<SetInspection> distinct = new ArrayList<>(sets);
        owners.forEach((path, owning) -> {
            for (int i : owning) {
                if (owning.size() > 1 && distinct.get(i).state() == SetInspection.State.REPAIRABLE) {
                    distinct.set(i, distinct.get(i).lost(
                            path + " belongs to another set, too: the file of one would replace that of the other"));
                }
            }
        });
        return distinct;
    }

    private static List<Path> filesOf(MemberLocation location) {
        return Stream.concat(Stream.of(location.redundancy()), location.files().stream()).toList();
    }
}
