package org.restorej.storage;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;

/** Collects disjoint runs of positions in any order and hands them out sorted, neighbours joined, empty ones dropped. */
final class Regions {
    private final LongArrayList firsts = new LongArrayList();
    private final LongArrayList ends = new LongArrayList();

    void add(long first, long end) {
        if (first < end) {
            firsts.add(first);
            ends.add(end);
        }
    }

    /** The runs, alternating first position and end, ascending. */
    long[] joined() {
        long[] sortedFirsts = sorted(firsts);
        // Disjoint runs have their ends in the same order as their beginnings.
        long[] sortedEnds = sorted(ends);
        LongArrayList joined = new LongArrayList();
        for (int run = 0; run < sortedFirsts.length; run++) {
            if (run > 0 && sortedFirsts[run] == sortedEnds[run - 1]) {
                joined.set(joined.size() - 1, sortedEnds[run]);
            } else {
                joined.add(sortedFirsts[run]);
                joined.add(sortedEnds[run]);
            }
        }
        return joined.toLongArray();
    }

    private static long[] sorted(LongArrayList values) {
        long[] copy = values.toLongArray();
        LongArrays.quickSort(copy);
        return copy;
    }
}
