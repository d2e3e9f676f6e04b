package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ScrFormat;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.ScrFile;
import org.restorej.redset.internal.format.ScrFileName;

/**
 * Where the files of a set of SCR lie, and where those of a lost member go. SCR's headers have names without
 * directories, since files move: from the cache, where data lie beside the XOR file, to where a scavenge brings them.
 *
 * @param found the set
 * @param format its members
 * @param directories those that were given, absolute
 * @param unreadable XOR files without a sound header
 * @param lostDirectory where the files of members go whose XOR file is gone, or null when that is to be found out
 * @param policy where files may be
 */
record ScrPlaces(ScrScan.FoundSet found, ScrFormat format, List<Path> directories, Set<Path> unreadable,
        @Nullable Path lostDirectory, PathPolicy policy) {
    /** Where data files are. */
    private enum Layout {
        /** Beside the XOR file: in SCR's cache. */
        BESIDE,
        /** Above it, when it is in a directory {@code .scr}: after a scavenge. */
        ABOVE,
        /** Where the application itself would have put it: after a scavenge that preserves directories. */
        ORIGINAL
    }

    /**
     * The places of all members, by rank.
     *
     * @throws IOException when it can't be told where something is or goes, or two things would go to one place
     */
    List<MemberLocation> locate() throws IOException {
        Layout layout = layout();
        List<MemberLocation> locations = new ArrayList<>();
        for (int rank = 0; rank < format.set().ranks(); rank++) {
            ScrScan.FoundFile file = found.files().get(rank);
            Path directory = file == null ? directoryOfLost(rank, layout) : file.directory();
            List<Path> files = new ArrayList<>();
            for (ScrFile data : format.member(rank).files()) {
                files.add(allowed(place(layout, directory, data)));
            }
            String name = found.any().header().name().ofMember(rank).toString();
            locations.add(new MemberLocation(file == null ? directory.resolve(name) : file.path(), Optional.empty(),
                    files));
        }
        ScrTargets.requireDistinct(locations);
        return locations;
    }

    /** The one in which most of the files are there that members with an XOR file have. */
    private Layout layout() {
        Layout best = Layout.BESIDE;
        int most = 0;
        for (Layout layout : Layout.values()) {
            int there = 0;
            for (ScrScan.FoundFile file : found.files().values()) {
                there += presentFiles(layout, file.directory(), file.header().name().rank());
            }
            if (there > most) {
                most = there;
                best = layout;
            }
        }
        return best;
    }

    private int presentFiles(Layout layout, Path directory, int rank) {
        int there = 0;
        for (ScrFile data : format.member(rank).files()) {
            try {
                Path path = place(layout, directory, data);
                there += Files.isRegularFile(path) && Files.size(path) == data.record().sizeBytes() ? 1 : 0;
            } catch (IOException nowhere) {
                // As if it were absent.
            }
        }
        return there;
    }

    private Path place(Layout layout, Path directory, ScrFile data) throws IOException {
        Path name = FilePaths.of(data.record().name());
        return switch (layout) {
            case BESIDE -> directory.resolve(name);
            case ABOVE -> {
                Path above = isHidden(directory) ? directory.toAbsolutePath().getParent() : null;
                yield above == null ? directory.resolve(name) : above.resolve(name);
            }
            case ORIGINAL -> {
                if (data.original() == null) {
                    throw new IOException("no PATH is recorded for " + data.record().shownName());
                }
                yield policy.resolve(data.original());
            }
        };
    }

    private static boolean isHidden(Path directory) {
        return String.valueOf(directory.getFileName()).equals(ScrScan.HIDDEN);
    }

    /** Refuses links that lead out. */
    private Path allowed(Path path) throws IOException {
        new PathPolicy(policy.base(), policy.allowed(), policy.anywhere(), Map.of())
                .resolve(FilePaths.nameOf(path.toAbsolutePath()));
        return path;
    }

    private Path directoryOfLost(int rank, Layout layout) throws IOException {
        ScrFileName name = found.any().header().name().ofMember(rank);
        if (lostDirectory != null) {
            return lostDirectory;
        }
        Set<Path> used = new TreeSet<>();
        found.files().values().forEach(file -> used.add(file.directory()));
        Set<Path> all = new TreeSet<>(used);
        directories.forEach(directory -> all.add(isHiddenEverywhere(used) && !isHidden(directory)
                ? directory.resolve(ScrScan.HIDDEN).normalize()
                : directory.normalize()));
        Set<Path> withRemains = new TreeSet<>();
        for (Path directory : all) {
            if (unreadable.contains(directory.resolve(name.toString()))
                    || (layout == Layout.BESIDE && presentFiles(layout, directory, rank) > 0)) {
                withRemains.add(directory);
            }
        }
        Set<Path> free = new TreeSet<>(all);
        free.removeAll(used);
        for (Set<Path> candidates : List.of(withRemains, all, free)) {
            if (candidates.size() == 1) {
                return candidates.iterator().next();
            }
        }
        throw new IOException("it can't be told where " + name + " and its data files belong: give exactly one "
                + "directory that has no member of this set, or --lost DIR; directories given: " + directories);
    }

    private static boolean isHiddenEverywhere(Set<Path> used) {
        return used.stream().allMatch(ScrPlaces::isHidden);
    }
}
