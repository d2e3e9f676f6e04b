package org.restorej.internal.risk;

import java.util.Arrays;

/**
 * Sets of numbers, one after the other in one array: as many as a store has block ranges, so no object for each.
 * Immutable.
 */
final class IntSets {
    /** The members of set s are {@code members[starts[s]] .. members[starts[s + 1] - 1]}, ascending. */
    private final int[] members;
    private final int[] starts;
    private final int count;

    /** The first sets of arrays that may be longer, and that are not copied. */
    IntSets(int[] members, int[] starts, int count) {
        this.members = members;
        this.starts = starts;
        this.count = count;
    }

    int count() {
        return count;
    }

    int size(int set) {
        return starts[set + 1] - starts[set];
    }

    /** Where the members of a set begin in {@link #memberAt}; those of the next set begin where they end. */
    int start(int set) {
        return starts[set];
    }

    int memberAt(int index) {
        return members[index];
    }

    /** Number of members of all sets, each counted as often as it is in one. */
    int totalSize() {
        return starts[count];
    }

    /** So many of these sets, by their numbers, in that order. */
    IntSets chosen(int[] sets, int chosenCount) {
        int[] chosenStarts = new int[chosenCount + 1];
        for (int i = 0; i < chosenCount; i++) {
            chosenStarts[i + 1] = chosenStarts[i] + size(sets[i]);
        }
        int[] chosenMembers = new int[chosenStarts[chosenCount]];
        for (int i = 0; i < chosenCount; i++) {
            System.arraycopy(members, starts[sets[i]], chosenMembers, chosenStarts[i], size(sets[i]));
        }
        return new IntSets(chosenMembers, chosenStarts, chosenCount);
    }

    /**
     * In which of these sets each number is: the set of a member m has the numbers of its sets, ascending.
     *
     * @param setCount only the first so many sets
     * @param memberCount above every member
     */
    IntSets byMember(int setCount, int memberCount) {
        int[] firstSets = new int[memberCount + 1];
        for (int i = 0; i < starts[setCount]; i++) {
            firstSets[members[i] + 1]++;
        }
        Arrays.parallelPrefix(firstSets, Integer::sum);
        int[] next = firstSets.clone();
        int[] setsOf = new int[starts[setCount]];
        for (int set = 0; set < setCount; set++) {
            for (int i = starts[set]; i < starts[set + 1]; i++) {
                setsOf[next[members[i]]++] = set;
            }
        }
        return new IntSets(setsOf, firstSets, memberCount);
    }

    /** From the smallest to the largest; those of one size in the order that they have. */
    IntSets ascending() {
        int largest = 0;
        for (int set = 0; set < count; set++) {
            largest = Math.max(largest, size(set));
        }
        int[] next = new int[largest + 2];
        for (int set = 0; set < count; set++) {
            next[size(set) + 1]++;
        }
        Arrays.parallelPrefix(next, Integer::sum);
        int[] order = new int[count];
        for (int set = 0; set < count; set++) {
            order[next[size(set)]++] = set;
        }
        return chosen(order, count);
    }
}
