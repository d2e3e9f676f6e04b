package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.Descriptor;

/**
 * Determines the directory to which the files of a lost member belong, of a set of redset or of another program.
 *
 * @param directories the directories with redundancy files
 * @param ofTheOne the directory that the user has given for the only lost member, or null
 * @param byWorldRank those given for others, by their ranks in the job
 */
public record LostMemberPlaces(List<Path> directories, @Nullable Path ofTheOne, Map<Integer, Path> byWorldRank) {
    /** Copies the collections. */
    public LostMemberPlaces {
        directories = List.copyOf(directories);
        byWorldRank = Map.copyOf(byWorldRank);
    }

    /** Directories with redundancy files, without any for lost members. */
    public static LostMemberPlaces in(Path... directories) {
        return new LostMemberPlaces(List.of(directories), null, Map.of());
    }

    /** All directories, with those given for lost members. */
    public List<Path> all() {
        List<Path> all = new ArrayList<>(directories);
        all.addAll(byWorldRank.values());
        if (ofTheOne != null) {
            all.add(ofTheOne);
        }
        return all;
    }

    /** Throws an exception if there are sets, and a directory is given for a rank that is in none of them. */
    void requireRanksOf(List<SetParts> sets) throws UnknownPlaceException {
        SortedSet<Integer> members = new TreeSet<>();
        sets.forEach(set -> members.addAll(set.describedRanks()));
        for (Map.Entry<Integer, Path> entry : new TreeMap<>(byWorldRank).entrySet()) {
            if (!sets.isEmpty() && sets.stream().noneMatch(set -> set.mayHave(entry.getKey()))) {
                throw new UnknownPlaceException("--lost must name a rank of the sets that were found, which have "
                        + members.size() + " in [" + members.first() + ", " + members.last() + "]: --lost="
                        + entry.getKey() + "=" + entry.getValue());
            }
        }
    }

    /**
     * A lost member.
     *
     * @param place its place
     * @param files its files, for messages
     * @param found folders of the redundancy files of its set that were found, one for each
     * @param isOnlyOne whether no other member is lost that may belong to the same directory
     */
    public record LostMember(Descriptor place, String files, List<Path> found, boolean isOnlyOne) {}

    /** What there is in a directory; the first kind of file counts. */
    public enum Content {
        /** Files of the set from another time. */
        OF_OTHER_TIME,
        /** Files that can only be left of the lost member. */
        REMAINS,
        /** Files of other members of the job, or perhaps of another lost one. */
        OF_OTHERS,
        /** None of these. */
        NOTHING
    }

    /**
     * A directory to which a lost member may belong.
     *
     * @param folder the folder of its redundancy file then
     */
    public record Candidate(Path folder, Content content) {}

    /** Looks at directories for a lost member. */
    @FunctionalInterface
    public interface Look {
        /** What there is in a directory. */
        Candidate at(Path directory) throws IOException;
    }

    /**
     * The folder of a member's redundancy file.
     *
     * @throws UnknownPlaceException if its directory is unknown
     */
    public Path folderOf(LostMember member, Look look) throws IOException {
        SortedSet<Path> used = new TreeSet<>(member.found());
        int rank = member.place().worldRank();
        Path said = byWorldRank.isEmpty() ? ofTheOne : byWorldRank.get(rank);
        if (said != null) {
            if (byWorldRank.isEmpty() && !member.isOnlyOne()) {
                throw new UnknownPlaceException("--lost must say for each lost member where it belongs when there are "
                        + "several: --lost " + rank + "=DIR for " + member.files());
            }
            Candidate candidate = look.at(said);
            if (candidate.content() == Content.OF_OTHER_TIME) {
                throw new UnknownPlaceException("--lost must not name a directory with files of the set from another "
                        + "time, such as of another checkpoint: " + said);
            }
            return candidate.folder();
        }
        // Several members in one directory, and none in another.
        if (used.size() == 1 && (directories.size() == 1 || member.found().size() > 1)) {
            return used.first();
        }
        List<Path> candidates = candidates(member, used, look);
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        throw new UnknownPlaceException("where " + member.files() + " go isn't known: give " + (member.isOnlyOne()
                ? "exactly one directory that has no member of this set, such as an empty one in the place of a lost "
                        + "node, or --lost " + rank + "=DIR"
                : "a directory for each lost member, such as --lost " + rank + "=DIR for an empty one in the place of "
                        + "its node")
                + "; directories given: " + directories);
    }

    /** Folders with remains of the member. If there are none, those without files of the job, or else of the set. */
    private List<Path> candidates(LostMember member, SortedSet<Path> used, Look look) throws IOException {
        boolean lacksOne = member.found().size() + 1 == member.place().ranks();
        List<Path> withRemains = new ArrayList<>();
        List<Path> empty = new ArrayList<>();
        List<Path> free = new ArrayList<>();
        for (Path directory : directories) {
            Candidate candidate = look.at(directory);
            if (candidate.content() == Content.REMAINS) {
                withRemains.add(candidate.folder());
            } else if (lacksOne && candidate.content() != Content.OF_OTHER_TIME
                    && !used.contains(candidate.folder())) {
                free.add(candidate.folder());
                if (candidate.content() == Content.NOTHING) {
                    empty.add(candidate.folder());
                }
            }
        }
        if (lacksOne && free.isEmpty() && used.size() == 1) {
            free.add(used.first());
        }
        return Stream.of(withRemains, empty, free).filter(each -> !each.isEmpty()).findFirst().orElse(free);
    }
}
