package org.restorej.redset.internal.scr;

import org.restorej.redset.internal.scr.ScrHeader.ScrFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.offline.LostMemberPlaces;
import org.restorej.redset.internal.offline.LostMemberPlaces.Content;
import org.restorej.redset.internal.offline.SetParts;

/**
 * Determines the places of the files of SCR's sets, and those for lost members.
 *
 * @param sets all sets
 * @param unreadable XOR files that are damaged or can't be read
 * @param places the directories of lost members
 * @param policy allowed places of files
 */
record ScrPlaces(List<ScrSet> sets, Map<Path, IOException> unreadable, LostMemberPlaces places, PathPolicy policy) {
    /**
     * The paths of the members of a set.
     *
     * @param found the set
     */
    SetParts.Places of(ScrSet found) {
        ScrFolder.Layout layout = layout(found);
        return member -> {
            int rank = member.descriptor().rank();
            ScrSet.XorFile file = found.files().get(rank);
            Path folder = file == null ? home(found, layout, member.descriptor()) : file.directory();
            List<Path> files = new ArrayList<>();
            for (ScrFile data : found.filesOf(rank)) {
                files.add(allowed(layout.place(folder, data, policy)));
            }
            String name = found.any().name().ofMember(rank).toString();
            return new MemberLocation(file == null ? folder.resolve(name) : file.found().path(), Optional.empty(),
                    files);
        };
    }

    /** The layout in which most files of members with an XOR file exist. */
    private ScrFolder.Layout layout(ScrSet found) {
        ScrFolder.Layout best = ScrFolder.Layout.CACHE;
        int most = 0;
        for (ScrFolder.Layout layout : ScrFolder.Layout.values()) {
            int there = 0;
            for (ScrSet.XorFile file : found.files().values()) {
                for (ScrFile data : file.header().current()) {
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
    private Path home(ScrSet set, ScrFolder.Layout layout, Descriptor place) throws IOException {
        ScrFileName name = set.any().name().ofMember(place.rank());
        // A lost one of another set may have been on the same node.
        boolean isOnlyOne = sets.stream().mapToInt(each -> each.any().name().ranks() - each.files().size()).sum() == 1;
        ScrFolder like = likeOthers(set);
        Set<Path> ofOthers = dataOfMembersThatAreThere();
        return places.folderOf(
                new LostMemberPlaces.LostMember(place, name + " and its data files", set.folders(), isOnlyOne),
                directory -> {
                    Path folder = like.in(ScrSets.absolute(directory));
                    boolean hasRemains = unreadable.containsKey(folder.resolve(name.toString()))
                            || hasData(folder, set.filesOf(place.rank()), layout, ofOthers);
                    boolean isTaken = !isOnlyOne || sets.stream().anyMatch(each -> each.folders().contains(folder));
                    // Files of another time are compared with what was rebuilt, and never replaced.
                    return new LostMemberPlaces.Candidate(folder,
                            hasRemains ? Content.REMAINS : isTaken ? Content.OF_OTHERS : Content.NOTHING);
                });
    }

    private boolean hasData(Path folder, List<ScrFile> files, ScrFolder.Layout layout, Set<Path> ofOthers)
            throws IOException {
        for (ScrFile file : files) {
            if (layout != ScrFolder.Layout.ORIGINAL && layout.isThere(folder, file, policy)
                    && !ofOthers.contains(layout.place(folder, file, policy))) {
                return true;
            }
        }
        return false;
    }

    /** The way in which the XOR files of a set are hidden; not hidden if they differ. */
    private static ScrFolder likeOthers(ScrSet set) {
        List<ScrFolder> folders = new TreeSet<>(set.folders()).stream().map(ScrFolder::of).toList();
        ScrFolder first = folders.getFirst();
        return folders.stream().allMatch(folder -> folder.hidden().equals(first.hidden()))
                ? first
                : new ScrFolder(first.data(), "");
    }

    /** Data files of existing members. Files of the same names and sizes are no remains of a lost member. */
    private Set<Path> dataOfMembersThatAreThere() throws IOException {
        Set<Path> paths = new HashSet<>();
        for (ScrSet set : sets) {
            for (ScrSet.XorFile file : set.files().values()) {
                for (ScrFile data : file.header().current()) {
                    paths.add(ScrFolder.Layout.CACHE.place(file.directory(), data, policy));
                    paths.add(ScrFolder.Layout.BESIDE.place(file.directory(), data, policy));
                }
            }
        }
        return paths;
    }
}
