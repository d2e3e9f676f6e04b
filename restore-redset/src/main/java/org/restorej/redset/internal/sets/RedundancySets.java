package org.restorej.redset.internal.sets;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;

/**
 * The redundancy sets of all ranks, chosen exactly as redset does. Ranks of one failure group, such as a node or a
 * switch, are never in the same set. Immutable; every process computes the same sets from the same labels.
 */
public final class RedundancySets {
    private final int worldRanks;
    /** World ranks of every set, ascending; sets in the order of their first ranks. */
    private final List<List<Integer>> sets;
    private final int[] setOf;

    private RedundancySets(int worldRanks, List<List<Integer>> sets) {
        this.worldRanks = worldRanks;
        this.sets = sets;
        this.setOf = new int[worldRanks];
        for (int set = 0; set < sets.size(); set++) {
            for (int worldRank : sets.get(set)) {
                setOf[worldRank] = set;
            }
        }
    }

    /**
     * Chooses the sets: the i-th processes of all failure groups, in order of rank, are divided into consecutive sets
     * of at least {@code setSize} processes, as even as possible. Takes time linear in the number of ranks, plus
     * sorting.
     *
     * @param failureGroups label of every world rank
     * @param setSize minimum number of processes in a set, if there are as many failure groups; at least 1
     */
    static RedundancySets across(List<String> failureGroups, int setSize) {
        if (setSize < 1) {
            throw new IllegalArgumentException("setSize must be at least 1: setSize=" + setSize);
        }
        if (failureGroups.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one rank");
        }
        List<List<Integer>> sets = new ArrayList<>();
        for (List<Integer> across : acrossGroups(failureGroups)) {
            cut(across, setSize, sets);
        }
        // Not by a comparator of parts, for which the JVM would generate classes in a job's first call.
        sets.sort((left, right) -> Integer.compare(left.get(0), right.get(0)));
        return new RedundancySets(failureGroups.size(), List.copyOf(sets));
    }

    /** One set for each rank, for SINGLE. */
    static RedundancySets singletons(int worldRanks) {
        if (worldRanks < 1) {
            throw new IllegalArgumentException("worldRanks must be at least 1: worldRanks=" + worldRanks);
        }
        return new RedundancySets(worldRanks, IntStream.range(0, worldRanks).mapToObj(List::of).toList());
    }

    /** The sets for a scheme: of one rank for SINGLE, otherwise {@link #across}. */
    public static RedundancySets of(Scheme scheme, List<String> failureGroups, int setSize) {
        return scheme instanceof Scheme.Single ? singletons(failureGroups.size()) : across(failureGroups, setSize);
    }

    /** The i-th processes of all groups, for every i, in order of rank. */
    private static List<List<Integer>> acrossGroups(List<String> failureGroups) {
        Map<String, Integer> seen = new LinkedHashMap<>();
        List<List<Integer>> chosen = new ArrayList<>();
        for (int worldRank = 0; worldRank < failureGroups.size(); worldRank++) {
            int index = seen.merge(failureGroups.get(worldRank), 1, Integer::sum) - 1;
            if (index == chosen.size()) {
                chosen.add(new ArrayList<>());
            }
            chosen.get(index).add(worldRank);
        }
        return chosen;
    }

    private static void cut(List<Integer> across, int setSize, List<List<Integer>> sets) {
        int ranks = across.size();
        int count = ranks / setSize;
        int base = count == 0 ? ranks : setSize + (ranks - count * setSize) / count;
        int larger = ranks % base;
        int start = 0;
        for (int set = 0; start < ranks; set++) {
            int end = start + base + (set < larger ? 1 : 0);
            sets.add(List.copyOf(across.subList(start, end)));
            start = end;
        }
    }

    /** World ranks of the set of a rank, ascending. */
    public List<Integer> membersOf(int worldRank) {
        return sets.get(setOf[worldRank]);
    }

    /** World ranks of all sets, ascending within each set. */
    public List<List<Integer>> sets() {
        return sets;
    }

    /**
     * The place of a rank under a scheme.
     *
     * @throws IllegalArgumentException if its set is too small or too large for the scheme
     */
    public Descriptor descriptor(Scheme scheme, int worldRank) {
        int set = setOf[worldRank];
        List<Integer> members = sets.get(set);
        return new Descriptor(scheme, set, sets.size(), members.indexOf(worldRank), members.size(), worldRank,
                worldRanks);
    }

    /** World ranks of all sets. */
    @Override
    public String toString() {
        return sets.toString();
    }
}
