package org.restorej.internal.risk;

import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/**
 * The sets of those alive that must not all fail, since together they have the last replicas of something; without
 * repetitions, and without sets that contain others. Whoever is in a set is numbered from 0. Immutable.
 */
public final class Copysets {
    private final int population;
    private final int memberCount;
    /** From the smallest to the largest. */
    private final IntSets sets;
    /** At index n the number of sets of n. */
    private final int[] countBySize;

    private Copysets(int population, IntSets distinct, int memberCount) {
        this.population = population;
        this.memberCount = memberCount;
        sets = withoutSetsThatContainOthers(distinct.ascending(), memberCount);
        countBySize = new int[largest(sets) + 1];
        for (int set = 0; set < sets.count(); set++) {
            countBySize[sets.size(set)]++;
        }
    }

    private static int largest(IntSets ascending) {
        return ascending.count() == 0 ? 0 : ascending.size(ascending.count() - 1);
    }

    private static IntSets withoutSetsThatContainOthers(IntSets ascending, int memberCount) {
        int smallerCount = 0;
        while (smallerCount < ascending.count() && ascending.size(smallerCount) < largest(ascending)) {
            smallerCount++;
        }
        if (smallerCount == 0) {
            return ascending;
        }
        // Only these can be in another set.
        IntSets smaller = ascending.byMember(smallerCount, memberCount);
        int[] common = new int[smallerCount];
        int[] minimal = new int[ascending.count()];
        int kept = 0;
        for (int set = 0; set < ascending.count(); set++) {
            if (!containsAnother(ascending, set, smaller, common)) {
                minimal[kept++] = set;
            }
        }
        return kept == ascending.count() ? ascending : ascending.chosen(minimal, kept);
    }

    /** Counts for each set that shares members how many these are; {@code common} is 0 before and after. */
    private static boolean containsAnother(IntSets all, int set, IntSets smaller, int[] common) {
        boolean found = false;
        for (int i = all.start(set); i < all.start(set + 1); i++) {
            int member = all.memberAt(i);
            for (int j = smaller.start(member); j < smaller.start(member + 1); j++) {
                int other = smaller.memberAt(j);
                found |= ++common[other] == all.size(other) && all.size(other) < all.size(set);
            }
        }
        for (int i = all.start(set); i < all.start(set + 1); i++) {
            int member = all.memberAt(i);
            for (int j = smaller.start(member); j < smaller.start(member + 1); j++) {
                common[smaller.memberAt(j)] = 0;
            }
        }
        return found;
    }

    /** Collects who holds what: sets, each once, in a hash table of indexes. One thread. */
    public static final class Builder {
        private static final int FIRST_SLOTS = 1 << 10;

        /** One more than the number of whom the index names; 0 for those unknown. */
        private int[] numbers = {};
        private int known;
        private int[] members = {};
        private int[] starts = new int[1];
        private int count;
        /** One more than the set's index, or 0; more than twice as many as sets. */
        private int[] slots = new int[FIRST_SLOTS];

        /**
         * Adds the holders of something; nothing when there are none, since it is lost already.
         *
         * @param set the first {@code size} are who has it, numbers of at least 0, in any order, with repetitions or
         *        without; copied
         */
        public void add(int[] set, int size) {
            members = IntArrays.grow(members, starts[count] + size, starts[count]);
            int end = starts[count];
            for (int i = 0; i < size; i++) {
                end = insert(end, numberOf(set[i]));
            }
            if (end == starts[count]) {
                return;
            }
            starts = IntArrays.grow(starts, count + 2, count + 1);
            starts[count + 1] = end;
            int slot = slotOf(count);
            if (slots[slot] == 0) {
                slots[slot] = ++count;
                if (2 * count >= slots.length) {
                    enlarge();
                }
            }
        }

        private int numberOf(int member) {
            if (member >= numbers.length) {
                numbers = IntArrays.grow(numbers, member + 1, numbers.length);
            }
            if (numbers[member] == 0) {
                numbers[member] = ++known;
            }
            return numbers[member] - 1;
        }

        /** Into the set at the end, which stays ascending; returns where it ends then. */
        private int insert(int end, int number) {
            int at = end;
            while (at > starts[count] && members[at - 1] > number) {
                at--;
            }
            if (at > starts[count] && members[at - 1] == number) {
                return end;
            }
            for (int i = end; i > at; i--) {
                members[i] = members[i - 1];
            }
            members[at] = number;
            return end + 1;
        }

        /** The slot of an equal set, or an empty one. */
        private int slotOf(int set) {
            int hash = 0;
            for (int i = starts[set]; i < starts[set + 1]; i++) {
                hash = HashCommon.mix(hash + members[i]);
            }
            int slot = hash & slots.length - 1;
            while (slots[slot] != 0 && !areEqual(slots[slot] - 1, set)) {
                slot = slot + 1 & slots.length - 1;
            }
            return slot;
        }

        private boolean areEqual(int one, int other) {
            return Arrays.equals(members, starts[one], starts[one + 1], members, starts[other], starts[other + 1]);
        }

        private void enlarge() {
            slots = new int[2 * slots.length];
            for (int set = 0; set < count; set++) {
                slots[slotOf(set)] = set + 1;
            }
        }

        /**
         * The sets.
         *
         * @param population number of PEs, or domains, that may fail, whether they hold something or not
         */
        public Copysets build(int population) {
            return new Copysets(population, new IntSets(members, starts, count), known);
        }
    }

    /** How many are alive. */
    int population() {
        return population;
    }

    /** Number of those in any set. */
    int memberCount() {
        return memberCount;
    }

    /** How many are in a set, at least; 0 without sets. */
    int smallest() {
        return sets.count() == 0 ? 0 : sets.size(0);
    }

    /** From the smallest to the largest. */
    IntSets sets() {
        return sets;
    }

    /** At index n the number of sets of n. */
    int[] countBySize() {
        return countBySize.clone();
    }

    /** At index n the number of sets of n among some that are disjoint: from the smallest, each that can be added. */
    int[] disjointCountBySize() {
        boolean[] used = new boolean[memberCount];
        int[] disjoint = new int[countBySize.length];
        for (int set = 0; set < sets.count(); set++) {
            boolean free = true;
            for (int i = sets.start(set); i < sets.start(set + 1); i++) {
                free &= !used[sets.memberAt(i)];
            }
            for (int i = sets.start(set); free && i < sets.start(set + 1); i++) {
                used[sets.memberAt(i)] = true;
            }
            disjoint[sets.size(set)] += free ? 1 : 0;
        }
        return disjoint;
    }
}
