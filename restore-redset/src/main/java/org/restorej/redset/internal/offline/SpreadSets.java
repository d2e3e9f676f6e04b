package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.sets.EncodingFacts;

/**
 * Joins the members of sets that are spread over the directories of several nodes.
 *
 * <p>
 * Each redundancy file also describes neighbours of its member, with the times of their files. Files that describe a
 * member equally are therefore of one encoding. Files of members that are not neighbours may be of two checkpoints
 * without contradiction. They are joined only if no other combination is possible. Members that are found twice, for
 * example in copies of directories, are never joined, since nothing tells which copies belong together.
 */
final class SpreadSets {
    private SpreadSets() {}

    /** The sets, with parts of one set in different directories joined. */
    static List<DirectoryContent.FoundSet> joined(List<DirectoryContent.FoundSet> parts) {
        Map<List<Object>, List<DirectoryContent.FoundSet>> bySet = new LinkedHashMap<>();
        Map<String, Integer> order = new HashMap<>();
        for (DirectoryContent.FoundSet part : parts) {
            bySet.computeIfAbsent(List.of(part.namePrefix(), part.place().ofMember(0, 0)), first -> new ArrayList<>())
                    .add(part);
            order.putIfAbsent(part.prefix(), order.size());
        }
        NavigableMap<List<Integer>, DirectoryContent.FoundSet> joined = new TreeMap<>(
                (left, right) -> left.get(0).equals(right.get(0))
                        ? left.get(1).compareTo(right.get(1))
                        : left.get(0).compareTo(right.get(0)));
        for (List<DirectoryContent.FoundSet> ofSet : bySet.values()) {
            for (DirectoryContent.FoundSet set : ofSet.size() == 1 ? ofSet : joinedOfOneSet(ofSet)) {
                joined.put(List.of(order.getOrDefault(set.prefix(), 0), set.place().group()), set);
            }
        }
        return List.copyOf(joined.values());
    }

    /** Joins parts with equal places in jobs of equal sizes: one set, several checkpoints of it, or copies. */
    private static List<DirectoryContent.FoundSet> joinedOfOneSet(List<DirectoryContent.FoundSet> parts) {
        List<DirectoryContent.FoundSet> sets = new ArrayList<>();
        List<Linked> sound = new ArrayList<>();
        for (Linked linked : linked(parts)) {
            if (linked.agrees()) {
                sound.add(linked);
            } else {
                linked.parts.forEach(part -> sets.add(doubtful(part, linked.parts)));
            }
        }
        boolean hasCopies = !sets.isEmpty();
        Set<Linked> done = new HashSet<>();
        for (Linked first : sound) {
            if (done.contains(first)) {
                continue;
            }
            List<Linked> fitting = sound.stream().filter(first::agreesWith).toList();
            List<DirectoryContent.FoundSet> together = fitting.stream().flatMap(each -> each.parts.stream()).toList();
            if (fitting.size() == 1 || (!hasCopies && fitting.stream()
                    .allMatch(each -> sound.stream().filter(each::agreesWith).toList().equals(fitting)))) {
                sets.add(union(together, ""));
                done.addAll(fitting);
            } else {
                sets.add(doubtful(union(first.parts, ""), together));
            }
        }
        return sets;
    }

    /** Groups parts that describe a common member equally, in order of the first parts. */
    private static List<Linked> linked(List<DirectoryContent.FoundSet> parts) {
        List<Linked> all = new ArrayList<>();
        for (DirectoryContent.FoundSet part : parts) {
            Linked linked = new Linked(part);
            for (Iterator<Linked> others = all.iterator(); others.hasNext();) {
                Linked other = others.next();
                if (!Collections.disjoint(other.members, linked.members)) {
                    others.remove();
                    linked.add(other);
                }
            }
            all.add(linked);
        }
        return all;
    }

    private static DirectoryContent.FoundSet union(List<DirectoryContent.FoundSet> parts, String doubt) {
        Map<Integer, DirectoryScan.FoundHeader> headers = new TreeMap<>();
        parts.forEach(part -> headers.putAll(part.headers()));
        return new DirectoryContent.FoundSet(parts.getFirst().prefix(), parts.getFirst().place(), headers, doubt);
    }

    /** A part that can't be joined. It is in doubt, unless its members are in one directory or complete. */
    private static DirectoryContent.FoundSet doubtful(DirectoryContent.FoundSet part,
            List<DirectoryContent.FoundSet> together) {
        if (part.isTogether() || part.headers().size() == part.place().ranks()) {
            return part;
        }
        Set<String> others = new TreeSet<>();
        together.forEach(other -> others.add(other.prefix() + "*"));
        part.headers().values().forEach(header -> others.remove(header.prefix() + "*"));
        return union(List.of(part),
                "the set's members in " + String.join(", ", others) + " aren't joined with those in "
                        + part.prefix()
                        + "*: they are copies of one checkpoint, or of several, and nothing tells which belong "
                        + "together: give the directories of one copy of one checkpoint at a time");
    }

    /**
     * Sets of which no file was found, although files of other sets tell how many sets there are. One line for each job
     * whose files are in one directory, and for each whose files are spread.
     *
     * @param unreadable redundancy files of sets that weren't found, which may be these
     */
    static List<OfflineRedset.Problem> absent(List<DirectoryContent.FoundSet> sets,
            Map<Path, IOException> unreadable) {
        Set<String> together = new TreeSet<>();
        sets.stream().filter(DirectoryContent.FoundSet::isTogether).forEach(set -> together.add(set.prefix()));
        boolean isOneDirectory = sets.stream().flatMap(set -> set.directories().stream()).distinct().count() == 1;
        NavigableMap<String, List<DirectoryContent.FoundSet>> byJob = new TreeMap<>();
        for (DirectoryContent.FoundSet set : sets) {
            byJob.computeIfAbsent(isOneDirectory || together.contains(set.prefix())
                    ? set.prefix()
                    : set.namePrefix() + "* of " + set.place().worldRanks() + " ranks in " + set.place().groups()
                            + " sets",
                    first -> new ArrayList<>())
                    .add(set);
        }
        List<OfflineRedset.Problem> absent = new ArrayList<>();
        byJob.forEach((job, found) -> {
            int groups = found.getFirst().place().groups();
            NavigableMap<Integer, Integer> counts = new TreeMap<>();
            found.forEach(set -> counts.merge(set.place().group() + 1, 1, Integer::sum));
            int max = Collections.max(counts.values());
            boolean isUneven = Collections.min(counts.values()) < max
                    && found.stream().allMatch(set -> set.doubt().isEmpty());
            if (counts.size() < groups || isUneven) {
                List<Integer> present = counts.entrySet().stream()
                        .filter(count -> !isUneven || count.getValue() == max).map(Map.Entry::getKey).toList();
                Set<Integer> there = new HashSet<>(counts.keySet());
                unreadable.forEach((path, reason) -> DirectoryContent
                        .redundancy(found.getFirst().namePrefix(), String.valueOf(path.getFileName()))
                        .filter(name -> name.groups() == groups && Unreachable.mayBeIntact(path, reason))
                        .ifPresent(name -> there.add(name.group() + 1)));
                absent.add(new OfflineRedset.Problem(
                        job + ": there are files of sets " + present + " only, of " + groups,
                        !isUneven && there.size() == groups));
            }
        });
        return absent;
    }

    /** Parts of one encoding, or of copies of it. */
    private static final class Linked {
        private final List<DirectoryContent.FoundSet> parts = new ArrayList<>();
        /** Descriptions of members in their headers; a record includes sizes and times of files. */
        private final Set<Object> members = new HashSet<>();
        private final EncodingFacts facts = new EncodingFacts();

        Linked(DirectoryContent.FoundSet part) {
            parts.add(part);
            for (DirectoryScan.FoundHeader header : part.headers().values()) {
                header.header().byRank().values().forEach(record -> members.add(
                        List.of(header.header().chunkBytes(), header.header().worldRanks(), record)));
            }
        }

        void add(Linked earlier) {
            parts.addAll(0, earlier.parts);
            members.addAll(earlier.members);
        }

        /** Whether there is no contradiction and no member twice. */
        boolean agrees() {
            return parts.stream().flatMap(part -> part.headers().values().stream())
                    .allMatch(header -> facts.add(EncodingFacts.ofHeader(header.header(), header.path())));
        }

        boolean agreesWith(Linked other) {
            return facts.agreesWith(other.facts);
        }
    }
}
