package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.restorej.redset.internal.files.PathPolicy;

/**
 * Where the XOR files of lost members go: to the folder of the node that the member was on, hidden in it as those of
 * the other members are.
 *
 * @param scan all sets
 * @param directories those that were given, absolute
 * @param said what somebody wants, absolute
 * @param policy where data files may be
 */
record ScrHomes(ScrScan scan, List<Path> directories, ScrSets said, PathPolicy policy) {
    /**
     * The folder of the XOR file of a lost member.
     *
     * @throws IOException when it can't be told
     */
    Path of(ScrScan.FoundSet set, ScrFormat format, ScrFolder.Layout layout, int rank) throws IOException {
        ScrFileName name = set.any().header().name().ofMember(rank);
        ScrFolder like = likeOthers(set);
        int worldRank = format.set().member(rank).descriptor().worldRank();
        Path wanted = said.byWorldRank().get(worldRank);
        if (wanted != null) {
            return like.in(wanted);
        }
        if (said.ofTheOne() != null) {
            if (scan.lostMembers() > 1) {
                throw new IOException("--lost must say for each lost member where it belongs when there are several, "
                        + scan.lostMembers() + " here: --lost " + worldRank + "=DIR for " + name + ", of rank "
                        + worldRank);
            }
            return like.in(said.ofTheOne());
        }
        Set<Path> used = foldersOf(set);
        Set<Path> all = new TreeSet<>(used);
        directories.forEach(directory -> all.add(like.in(directory)));
        Set<Path> free = new TreeSet<>(all);
        free.removeAll(used);
        Set<Path> empty = new TreeSet<>(free);
        if (scan.lostMembers() == 1) {
            scan.sets().forEach(other -> empty.removeAll(foldersOf(other)));
        }
        for (Set<Path> candidates : List.of(withRemains(all, format, layout, rank, name), all, free, empty)) {
            if (candidates.size() == 1) {
                return candidates.iterator().next();
            }
        }
        throw new IOException("it can't be told where " + name + " and its data files belong: give exactly one "
                + "directory that has no member of this set, or --lost " + worldRank + "=DIR; directories given: "
                + directories);
    }

    private static Set<Path> foldersOf(ScrScan.FoundSet set) {
        return set.files().values().stream().map(ScrScan.FoundFile::directory).map(Path::normalize)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How the XOR files of a set are hidden; not at all when they are not all hidden in the same way. */
    private static ScrFolder likeOthers(ScrScan.FoundSet set) {
        List<ScrFolder> folders = foldersOf(set).stream().map(ScrFolder::of).toList();
        ScrFolder first = folders.getFirst();
        return folders.stream().allMatch(folder -> folder.hidden().equals(first.hidden()))
                ? first
                : new ScrFolder(first.data(), "");
    }

    /** Folders with an XOR file of the member that can't be used, or with data files of it. */
    private Set<Path> withRemains(Set<Path> folders, ScrFormat format, ScrFolder.Layout layout, int rank,
            ScrFileName name) throws IOException {
        Set<Path> ofOthers = dataOfMembersThatAreThere();
        Set<Path> found = new TreeSet<>();
        for (Path folder : folders) {
            boolean has = scan.unreadable().containsKey(folder.resolve(name.toString()));
            for (ScrFile file : layout == ScrFolder.Layout.ORIGINAL
                    ? List.<ScrFile>of()
                    : format.member(rank).files()) {
                has |= layout.isThere(folder, file, policy) && !ofOthers.contains(layout.place(folder, file, policy));
            }
            if (has) {
                found.add(folder);
            }
        }
        return found;
    }

    /** Files of the same names and sizes on other nodes are not what is left of a lost one. */
    private Set<Path> dataOfMembersThatAreThere() throws IOException {
        Set<Path> paths = new HashSet<>();
        for (ScrScan.FoundSet set : scan.sets()) {
            for (ScrScan.FoundFile file : set.files().values()) {
                for (ScrFile data : file.header().current().files()) {
                    paths.add(ScrFolder.Layout.CACHE.place(file.directory().normalize(), data, policy));
                    paths.add(ScrFolder.Layout.BESIDE.place(file.directory().normalize(), data, policy));
                }
            }
        }
        return paths;
    }
}
