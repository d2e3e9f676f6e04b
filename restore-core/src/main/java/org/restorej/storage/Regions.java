package org.restorej.storage;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;

/** Collects disjoint runs of positions in any order and hands them out sorted; empty ones are dropped. */
final class Regions {
    private final LongArrayList firsts = new LongArrayList();
    private final LongArrayList ends = new LongArrayList();

    void add(long first, long end) {
        if (first < end) {
            firsts.add(first);
            ends.add(end);
        }
    }

    long[] firsts() {
        return sorted(firsts);
    }

    /** Disjoint runs have their ends in the same order as their beginnings. */
    long[] ends() {
        return sorted(ends);
    }

    private static long[] sorted(LongArrayList values) {
        long[] copy = values.toLongArray();
        LongArrays.quickSort(copy);
        return copy;
    }
}
