package org.restorej.redset.internal.scr;

import org.restorej.redset.internal.scr.ScrHeader.ScrFile;
import org.restorej.redset.internal.offline.OfflineRedset.LostDirectories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.offline.SetParts;
import org.restorej.redset.internal.offline.UnknownPlaceException;

/**
 * Determines the places of the files of SCR's sets, and those for lost members.
 *
 * @param scan all sets
 * @param directories the given directories, absolute
 * @param said the directories that the user has given for lost members, absolute
 * @param policy allowed places of files
 */
record ScrPlaces(ScrScan scan, List<Path> directories, LostDirectories said, PathPolicy policy) {
    /**
     * The paths of the members of a set.
     *
     * @param found the set
     */
    SetParts.Places of(ScrScan.FoundSet found) {
        ScrFolder.Layout layout = layout(found);
        return member -> {
            int rank = member.descriptor().rank();
            ScrScan.FoundFile file = found.files().get(rank);
            Path folder = file == null ? home(found, layout, member.descriptor()) : file.directory();
            List<Path> files = new ArrayList<>();
            for (ScrFile data : found.member(rank).files()) {
                files.add(allowed(layout.place(folder, data, policy)));
            }
            String name = found.any().header().name().ofMember(rank).toString();
            return new MemberLocation(file == null ? folder.resolve(name) : file.path(), Optional.empty(), files);
        };
    }

    /** The layout in which most files of members with an XOR file exist. */
    private ScrFolder.Layout layout(ScrScan.FoundSet found) {
        ScrFolder.Layout best = ScrFolder.Layout.CACHE;
        int most = 0;
        for (ScrFolder.Layout layout : ScrFolder.Layout.values()) {
            int there = 0;
            for (ScrScan.FoundFile file : found.files().values()) {
                for (ScrFile data : file.header().current().files()) {
                    there += layout.isThere(file.directory(), data, policy) ? 1 : 0;
                }
            }
            if (there > most) {
                most = there;
                best = layout;
            }
        }
        return best;
    }

    /** Rejects links that leave the allowed directories. */
    private Path allowed(Path path) throws IOException {
        new PathPolicy(policy.base(), policy.allowed(), policy.anywhere(), Map.of())
                .resolve(FilePaths.nameOf(path.toAbsolutePath()));
        return path;
    }

    /** The folder of the XOR file of a lost member: that of its node, hidden like those of the other members. */
    private Path home(ScrScan.FoundSet set, ScrFolder.Layout layout, Descriptor place) throws IOException {
        ScrFileName name = set.any().header().name().ofMember(place.rank());
        ScrFolder like = likeOthers(set);
        int worldRank = place.worldRank();
        Path wanted = said.byWorldRank().get(worldRank);
        if (wanted != null) {
            return like.in(wanted);
        }
        if (said.ofTheOne() != null) {
            if (scan.lostMembers() > 1) {
                throw new UnknownPlaceException(
                        "--lost must say for each lost member where it belongs when there are several, "
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
        for (Set<Path> candidates : List.of(withRemains(all, set.member(place.rank()), layout, name), all, free,
                empty)) {
            if (candidates.size() == 1) {
                return candidates.iterator().next();
            }
        }
        throw new UnknownPlaceException(name + " and its data files", worldRank, directories);
    }

    private static Set<Path> foldersOf(ScrScan.FoundSet set) {
        return set.files().values().stream().map(ScrScan.FoundFile::directory).map(Path::normalize)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The way in which the XOR files of a set are hidden; not hidden if they differ. */
    private static ScrFolder likeOthers(ScrScan.FoundSet set) {
        List<ScrFolder> folders = foldersOf(set).stream().map(ScrFolder::of).toList();
        ScrFolder first = folders.getFirst();
        return folders.stream().allMatch(folder -> folder.hidden().equals(first.hidden()))
                ? first
                : new ScrFolder(first.data(), "");
    }

    /** Folders with an unusable XOR file of the member, or with data files of it. */
    private Set<Path> withRemains(Set<Path> folders, ScrHeader.Member member, ScrFolder.Layout layout,
            ScrFileName name) throws IOException {
        Set<Path> ofOthers = dataOfMembersThatAreThere();
        Set<Path> found = new TreeSet<>();
        for (Path folder : folders) {
            boolean has = scan.unreadable().containsKey(folder.resolve(name.toString()));
            for (ScrFile file : layout == ScrFolder.Layout.ORIGINAL
                    ? List.<ScrFile>of()
                    : member.files()) {
                has |= layout.isThere(folder, file, policy) && !ofOthers.contains(layout.place(folder, file, policy));
            }
            if (has) {
                found.add(folder);
            }
        }
        return found;
    }

    /** Data files of existing members. Files of the same names and sizes are no remains of a lost member. */
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
