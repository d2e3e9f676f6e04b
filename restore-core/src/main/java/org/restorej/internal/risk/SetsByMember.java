package org.restorej.internal.risk;

import java.util.Arrays;

/** In which sets each number is. Immutable. */
final class SetsByMember {
    /** The sets of member m are {@code setsOf[starts[m]] .. setsOf[starts[m + 1] - 1]}, ascending. */
    private final int[] setsOf;
    private final int[] starts;

    /**
     * Looks them up.
     *
     * @param sets of numbers below {@code memberCount}
     * @param setCount only the first so many sets
     */
    SetsByMember(IntSets sets, int setCount, int memberCount) {
        int end = sets.start(setCount);
        starts = new int[memberCount + 1];
        for (int i = 0; i < end; i++) {
            starts[sets.memberAt(i) + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] next = starts.clone();
        setsOf = new int[end];
        for (int set = 0; set < setCount; set++) {
            for (int i = sets.start(set); i < sets.start(set + 1); i++) {
                setsOf[next[sets.memberAt(i)]++] = set;
            }
        }
    }

    /** Where the sets of a member begin in {@link #setAt}; those of the next member begin where they end. */
    int start(int member) {
        return starts[member];
    }

    int setAt(int index) {
        return setsOf[index];
    }
}
