package org.restorej.block;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;

/**
 * An immutable set of block ids, stored as sorted, disjoint, non-adjacent runs in two flat arrays: 16 bytes a run.
 *
 * <p>
 * The ids are in ascending order; {@link #indexOf} gives a block's index in it, which is also its index in the
 * destination of a pull. Set operations take time linear in the number of runs, look-ups logarithmic time.
 */
public final class BlockRanges {
    /** The empty set. */
    public static final BlockRanges EMPTY = new BlockRanges(new long[0], new long[0]);

    /** Number of runs that {@link #toString} shows before it only counts them. */
    private static final int SHOWN_RUNS = 16;

    private final long[] firsts;
    private final long[] ends;
    /** Number of blocks in all runs before each one, and finally in all runs. */
    private final long[] before;

    private BlockRanges(long[] firsts, long[] ends) {
        this.firsts = firsts;
        this.ends = ends;
        before = new long[firsts.length + 1];
        for (int run = 0; run < firsts.length; run++) {
            before[run + 1] = before[run] + (ends[run] - firsts[run]);
        }
    }

    /** The set of {@code count} consecutive ids, starting with {@code first}. */
    public static BlockRanges of(long first, long count) {
        return of(BlockRange.of(first, count));
    }

    /** The union of runs, in any order, overlapping or not. */
    public static BlockRanges of(BlockRange... ranges) {
        return of(Arrays.asList(ranges));
    }

    /** The union of runs, in any order, overlapping or not. */
    public static BlockRanges of(Collection<BlockRange> ranges) {
        Builder builder = new Builder();
        ranges.stream().sorted().forEach(range -> builder.add(range.first(), range.count()));
        return builder.build();
    }

    public boolean isEmpty() {
        return firsts.length == 0;
    }

    /** Number of blocks. */
    public long blockCount() {
        return before[firsts.length];
    }

    /** Number of runs. */
    public int runCount() {
        return firsts.length;
    }

    /** First id of a run, {@code 0 <= run < runCount()}. */
    public long runFirst(int run) {
        return firsts[run];
    }

    /** First id after a run, {@code 0 <= run < runCount()}. */
    public long runEnd(int run) {
        return ends[run];
    }

    /** Number of ids in all runs before this one, {@code 0 <= run <= runCount()}. */
    public long blocksBefore(int run) {
        return before[run];
    }

    /** A view of the runs as values, ascending, for code outside hot loops. */
    public List<BlockRange> runs() {
        return new AbstractList<>() {
            @Override
            public BlockRange get(int run) {
                return BlockRange.between(firsts[run], ends[run]);
            }

            @Override
            public int size() {
                return firsts.length;
            }
        };
    }

    public boolean contains(long blockId) {
        return indexOf(blockId) >= 0;
    }

    /** Index of a block among all blocks of this set in ascending order, or -1 when it is not in the set. */
    public long indexOf(long blockId) {
        int found = Arrays.binarySearch(firsts, blockId);
        int run = found >= 0 ? found : -found - 2;
        return run >= 0 && blockId < ends[run] ? before[run] + (blockId - firsts[run]) : -1;
    }

    /** The block at an index in ascending order, {@code 0 <= index < blockCount()}. */
    public long blockAt(long index) {
        if (index < 0 || index >= blockCount()) {
            throw new IndexOutOfBoundsException("index must be in [0, " + blockCount() + "): index=" + index);
        }
        int found = Arrays.binarySearch(before, index);
        int run = found >= 0 ? found : -found - 2;
        return firsts[run] + (index - before[run]);
    }

    /** The blocks at indices {@code from .. to - 1} of this set in ascending order. */
    public BlockRanges slice(long from, long to) {
        if (from < 0 || to < from || to > blockCount()) {
            throw new IndexOutOfBoundsException(
                    "from and to must be ordered in [0, " + blockCount() + "]: from=" + from + ", to=" + to);
        }
        Builder builder = new Builder();
        long position = from;
        while (position < to) {
            long first = blockAt(position);
            int run = (int) runOf(first);
            long count = Math.min(ends[run] - first, to - position);
            builder.add(first, count);
            position += count;
        }
        return builder.build();
    }

    private long runOf(long containedId) {
        int found = Arrays.binarySearch(firsts, containedId);
        return found >= 0 ? found : -found - 2;
    }

    /** Blocks of this set or the other. */
    public BlockRanges union(BlockRanges other) {
        Builder builder = new Builder();
        int a = 0;
        int b = 0;
        while (a < firsts.length || b < other.firsts.length) {
            boolean mine = b == other.firsts.length || (a < firsts.length && firsts[a] <= other.firsts[b]);
            BlockRanges from = mine ? this : other;
            int run = mine ? a++ : b++;
            builder.add(from.firsts[run], from.ends[run] - from.firsts[run]);
        }
        return builder.build();
    }

    /** Blocks of this set that are not in the other. */
    public BlockRanges minus(BlockRanges other) {
        Builder builder = new Builder();
        int b = 0;
        for (int a = 0; a < firsts.length; a++) {
            long first = firsts[a];
            while (b < other.firsts.length && other.ends[b] <= first) {
                b++;
            }
            for (int c = b; c < other.firsts.length && other.firsts[c] < ends[a]; c++) {
                builder.add(first, Math.max(0, other.firsts[c] - first));
                first = Math.max(first, other.ends[c]);
            }
            builder.add(first, Math.max(0, ends[a] - first));
        }
        return builder.build();
    }

    /** Blocks of both sets. */
    public BlockRanges intersect(BlockRanges other) {
        return minus(minus(other));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockRanges that && Arrays.equals(firsts, that.firsts)
                && Arrays.equals(ends, that.ends);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(firsts) + Arrays.hashCode(ends);
    }

    /** {@code {0..3, 7, 9..12}}; if there are many runs, the first ones and the number of the others. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        runs().stream().limit(SHOWN_RUNS).forEach(run -> text.add(run.toString()));
        if (firsts.length > SHOWN_RUNS) {
            text.add("and " + (firsts.length - SHOWN_RUNS) + " more runs, " + blockCount() + " blocks in all");
        }
        return text.toString();
    }

    /**
     * Collects runs in ascending order of their first ids; adjacent and overlapping ones are merged. Not thread-safe.
     */
    public static final class Builder {
        private long[] firsts = new long[8];
        private long[] ends = new long[8];
        private int runs;

        /** Creates a builder without runs. */
        public Builder() {}

        /**
         * Adds a run; an empty one is ignored.
         *
         * @throws IllegalArgumentException when the run begins before the last one that was added
         */
        public Builder add(long first, long count) {
            if (count == 0) {
                return this;
            }
            if (first < 0 || count < 0) {
                throw new IllegalArgumentException(
                        "first and count must be at least 0: first=" + first + ", count=" + count);
            }
            if (runs > 0 && first < firsts[runs - 1]) {
                throw new IllegalArgumentException(
                        "runs must be added in ascending order: first=" + first + " after " + firsts[runs - 1]);
            }
            if (runs > 0 && first <= ends[runs - 1]) {
                ends[runs - 1] = Math.max(ends[runs - 1], first + count);
                return this;
            }
            if (runs == firsts.length) {
                firsts = Arrays.copyOf(firsts, 2 * runs);
                ends = Arrays.copyOf(ends, 2 * runs);
            }
            firsts[runs] = first;
            ends[runs++] = first + count;
            return this;
        }

        /** The runs collected so far. */
        public BlockRanges build() {
            return runs == 0 ? EMPTY : new BlockRanges(Arrays.copyOf(firsts, runs), Arrays.copyOf(ends, runs));
        }
    }
}
