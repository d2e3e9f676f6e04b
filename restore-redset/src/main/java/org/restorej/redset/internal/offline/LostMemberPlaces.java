package org.restorej.redset.internal.offline;

import org.restorej.redset.internal.offline.OfflineRedset.LostDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * Determines the directory to which the files of a lost member belong.
 *
 * @param directories the given directories
 * @param headers all valid headers in them, of all encodings
 * @param alone descriptor files in directories without redundancy files, with the place of their rank
 * @param lost directories that the user has given for lost members
 */
record LostMemberPlaces(List<Path> directories, Collection<DirectoryScan.FoundHeader> headers,
        Map<Path, Descriptor> alone, LostDirectories lost) {
    /** Copies the collections. */
    LostMemberPlaces {
        directories = List.copyOf(directories);
        headers = List.copyOf(headers);
        alone = new TreeMap<>(alone);
    }

    /**
     * The prefix of a member's file names, with the directory.
     *
     * @throws IOException if the member is lost and its directory is unknown
     */
    String prefixOf(DirectoryContent.FoundSet set, Descriptor member) throws IOException {
        DirectoryScan.FoundHeader header = set.headers().get(member.rank());
        if (header != null) {
            return header.prefix();
        }
        boolean isOnlyOne = set.headers().size() + 1 == set.place().ranks();
        Path said = lost.of(member.worldRank());
        if (said != null) {
            if (lost.byWorldRank().isEmpty() && !isOnlyOne) {
                throw new UnknownPlaceException(
                        "--lost must say for each lost member where it belongs when there are several: "
                                + "--lost " + member.worldRank() + "=DIR");
            }
            if (!set.directories().contains(said) && hasOther(said, set, member)) {
                throw new UnknownPlaceException(
                        "--lost must not name a directory with files of the set from another time, such as "
                                + "of another checkpoint: " + said);
            }
            return prefixIn(said, set);
        }
        if (directories.size() == 1 || set.isTogether()) {
            return set.prefix();
        }
        List<Path> candidates = candidates(set, member, isOnlyOne);
        if (candidates.size() == 1) {
            return prefixIn(candidates.getFirst(), set);
        }
        throw new UnknownPlaceException("the files of rank " + member.worldRank(), member.worldRank(), directories);
    }

    /**
     * Directories with remains of the member. If there are none, those without files of the job, or else of the set.
     */
    private List<Path> candidates(DirectoryContent.FoundSet set, Descriptor member, boolean isOnlyOne) {
        List<Path> withRemains = new ArrayList<>();
        List<Path> empty = new ArrayList<>();
        List<Path> free = new ArrayList<>();
        for (Path directory : directories) {
            boolean isOfSet = set.directories().contains(directory);
            if (isOfSet || !hasOther(directory, set, member)) {
                if (hasRemains(prefixIn(directory, set), member)) {
                    withRemains.add(directory);
                } else if (!isOfSet && isOnlyOne) {
                    free.add(directory);
                    if (headers.stream().noneMatch(other -> other.prefix().equals(prefixIn(directory, set)))) {
                        empty.add(directory);
                    }
                }
            }
        }
        if (isOnlyOne && free.isEmpty() && set.directories().size() == 1) {
            free.add(set.directories().first());
        }
        return List.of(withRemains, empty, free).stream().filter(each -> !each.isEmpty()).findFirst().orElse(free);
    }

    private static boolean hasRemains(String prefix, Descriptor member) {
        return Files.exists(Path.of(RedsetFileNames.redundancy(prefix, member)))
                || Files.exists(Path.of(RedsetFileNames.descriptor(prefix, member.worldRank())));
    }

    /** Whether a directory has members of another encoding of the set, or the rank's descriptor of another one. */
    private boolean hasOther(Path directory, DirectoryContent.FoundSet set, Descriptor member) {
        String prefix = prefixIn(directory, set);
        Descriptor described = alone.getOrDefault(
                Path.of(RedsetFileNames.descriptor(prefix, member.worldRank())), member);
        return !described.equals(member) || headers.stream().anyMatch(other -> other.prefix().equals(prefix)
                && other.header().own().descriptor().isSameSet(set.place()));
    }

    private static String prefixIn(Path directory, DirectoryContent.FoundSet set) {
        String name = directory.toString();
        return (name.isEmpty() || name.endsWith("/") ? name : name + "/") + set.namePrefix();
    }
}
