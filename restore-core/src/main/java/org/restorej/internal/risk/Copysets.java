package org.restorej.internal.risk;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The sets of those alive that must not all die, since together they have the last replicas of something; without
 * repetitions, and without sets that contain others. Whoever is in a set is numbered from 0. Immutable.
 */
final class Copysets {
    private final int population;
    private final int[][] sets;
    /** The sets of member m are {@code setsOf[starts[m]] .. setsOf[starts[m + 1] - 1]}. */
    private final int[] setsOf;
    private final int[] starts;
    /** At index n the number of sets of n. */
    private final int[] countBySize;

    private Copysets(int population, List<int[]> numbered, int memberCount) {
        this.population = population;
        List<int[]> ascending = new ArrayList<>(numbered);
        ascending.sort(Comparator.comparingInt(set -> set.length));
        int[] allStarts = starts(ascending, memberCount);
        int[] allSetsOf = setsOf(ascending, allStarts);
        List<int[]> minimal = new ArrayList<>();
        int[] common = new int[ascending.size()];
        for (int[] set : ascending) {
            if (!containsAnother(set, ascending, allStarts, allSetsOf, common)) {
                minimal.add(set);
            }
        }
        sets = minimal.toArray(int[][]::new);
        starts = starts(minimal, memberCount);
        setsOf = setsOf(minimal, starts);
        countBySize = new int[sets.length == 0 ? 1 : sets[sets.length - 1].length + 1];
        for (int[] set : sets) {
            countBySize[set.length]++;
        }
    }

    private static int[] starts(List<int[]> sets, int memberCount) {
        int[] starts = new int[memberCount + 1];
        for (int[] set : sets) {
            for (int member : set) {
                starts[member + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        return starts;
    }

    private static int[] setsOf(List<int[]> sets, int[] starts) {
        int[] next = starts.clone();
        int[] setsOf = new int[starts[starts.length - 1]];
        for (int set = 0; set < sets.size(); set++) {
            for (int member : sets.get(set)) {
                setsOf[next[member]++] = set;
            }
        }
        return setsOf;
    }

    /** Counts for each set that shares members how many these are; {@code common} is 0 before and after. */
    private static boolean containsAnother(int[] set, List<int[]> all, int[] starts, int[] setsOf, int[] common) {
        boolean found = false;
        for (int member : set) {
            for (int i = starts[member]; i < starts[member + 1]; i++) {
                int other = setsOf[i];
                found |= ++common[other] == all.get(other).length && all.get(other).length < set.length;
            }
        }
        for (int member : set) {
            for (int i = starts[member]; i < starts[member + 1]; i++) {
                common[setsOf[i]] = 0;
            }
        }
        return found;
    }

    /** Collects sets. One thread. */
    static final class Builder {
        private final Int2IntOpenHashMap numbers = new Int2IntOpenHashMap();
        private final ObjectOpenCustomHashSet<int[]> sets = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);

        /** Adds a set of whatever numbers, in any order, each once or more often; an empty one is nothing. */
        void add(int[] members, int count) {
            // Without streams: there are as many sets as block ranges.
            int[] numbered = new int[count];
            for (int i = 0; i < count; i++) {
                numbered[i] = numbers.computeIfAbsent(members[i], unknown -> numbers.size());
            }
            Arrays.sort(numbered);
            int distinct = 0;
            for (int i = 0; i < count; i++) {
                if (i == 0 || numbered[i] != numbered[i - 1]) {
                    numbered[distinct++] = numbered[i];
                }
            }
            if (distinct > 0) {
                sets.add(distinct == count ? numbered : Arrays.copyOf(numbered, distinct));
            }
        }

        /** The sets, of a population of so many, members of sets or not. */
        Copysets build(int population) {
            return new Copysets(population, List.copyOf(sets), numbers.size());
        }
    }

    /** How many are alive. */
    int population() {
        return population;
    }

    /** Number of sets. */
    int count() {
        return sets.length;
    }

    /** How many are in a set, at least; 0 without sets. */
    int smallest() {
        return sets.length == 0 ? 0 : sets[0].length;
    }

    /** Number of members of all sets, each counted as often as it is in one. */
    int totalSize() {
        return setsOf.length;
    }

    /** Number of those in any set. */
    int memberCount() {
        return starts.length - 1;
    }

    /** A set's members, ascending. The caller must not change them. */
    int[] set(int index) {
        return sets[index];
    }

    /** Where the sets of a member begin in {@link #setAt}; those of the next member begin where they end. */
    int start(int member) {
        return starts[member];
    }

    /** Sets by member. */
    int setAt(int index) {
        return setsOf[index];
    }

    /** At index n the number of sets of n. */
    int[] countBySize() {
        return countBySize.clone();
    }

    /** At index n the number of sets of n among some that are disjoint: from the smallest, each that can be added. */
    int[] disjointCountBySize() {
        boolean[] used = new boolean[memberCount()];
        int[] disjoint = new int[countBySize.length];
        for (int[] set : sets) {
            if (Arrays.stream(set).noneMatch(member -> used[member])) {
                disjoint[set.length]++;
                Arrays.stream(set).forEach(member -> used[member] = true);
            }
        }
        return disjoint;
    }

    /** Whether nobody is in two sets. */
    boolean areDisjoint() {
        for (int member = 0; member < memberCount(); member++) {
            if (starts[member + 1] - starts[member] > 1) {
                return false;
            }
        }
        return true;
    }
}
