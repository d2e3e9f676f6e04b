package org.restorej;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/**
 * Which global row each row of a PE's array is, when rows have been appended in runs: position 0 is the array's first
 * row. No row occurs twice.
 *
 * <p>
 * Kept as runs, 28 bytes each. Immutable; look-ups are logarithmic in the number of runs, appending is linear (and
 * sorts).
 */
public final class RowIndex {
    /** The index of an array without rows. */
    public static final RowIndex EMPTY = new RowIndex(List.of());

    /** How many runs {@link #toString} shows before it only counts them. */
    private static final int SHOWN_RUNS = 16;

    private final List<BlockRange> runs;
    /** Position of each run's first row, and the number of all rows. */
    private final long[] starts;
    /** First rows of the runs in ascending order, and which run each is. */
    private final long[] sortedFirsts;
    private final int[] sortedRuns;

    private RowIndex(List<BlockRange> runs) {
        this.runs = Collections.unmodifiableList(runs);
        starts = new long[runs.size() + 1];
        for (int run = 0; run < runs.size(); run++) {
            starts[run + 1] = starts[run] + runs.get(run).count();
        }
        List<Integer> order = new ArrayList<>(runs.size());
        for (int run = 0; run < runs.size(); run++) {
            order.add(run);
        }
        order.sort((a, b) -> runs.get(a).compareTo(runs.get(b)));
        sortedRuns = order.stream().mapToInt(Integer::intValue).toArray();
        sortedFirsts = order.stream().mapToLong(run -> runs.get(run).first()).toArray();
    }

    /** Rows in ascending order, as a pull brings them. */
    public static RowIndex of(BlockRanges rows) {
        return EMPTY.append(rows);
    }

    /**
     * This index with further rows behind, in ascending order among themselves.
     *
     * @throws IllegalArgumentException when one of them is there already
     */
    public RowIndex append(BlockRanges rows) {
        BlockRanges twice = rows.intersect(rows());
        if (!twice.isEmpty()) {
            throw new IllegalArgumentException("rows must not be appended twice: " + twice);
        }
        List<BlockRange> all = new ArrayList<>(runs);
        for (BlockRange run : rows.runs()) {
            int last = all.size() - 1;
            if (last >= 0 && all.get(last).end() == run.first()) {
                all.set(last, BlockRange.between(all.get(last).first(), run.end()));
            } else {
                all.add(run);
            }
        }
        return new RowIndex(all);
    }

    /** This index without all rows but these, in the same order. */
    public RowIndex retain(BlockRanges kept) {
        List<BlockRange> left = new ArrayList<>();
        for (BlockRange run : runs) {
            left.addAll(BlockRanges.of(run).intersect(kept).runs());
        }
        return new RowIndex(left);
    }

    /** Number of rows. */
    public long rowCount() {
        return starts[runs.size()];
    }

    /** The rows in runs, in the order in which the array has them. */
    public List<BlockRange> runs() {
        return runs;
    }

    /** The rows as a set. */
    public BlockRanges rows() {
        return BlockRanges.of(runs);
    }

    /** The global row at a position of the array, {@code 0 <= position < rowCount()}. */
    public long rowAt(long position) {
        if (position < 0 || position >= rowCount()) {
            throw new IndexOutOfBoundsException(
                    "position must be in [0, " + rowCount() + "): position=" + position);
        }
        int found = Arrays.binarySearch(starts, position);
        int run = found >= 0 ? found : -found - 2;
        return runs.get(run).first() + (position - starts[run]);
    }

    /** Where the array has a global row, or -1 when it has not. */
    public long positionOf(long row) {
        int found = Arrays.binarySearch(sortedFirsts, row);
        int place = found >= 0 ? found : -found - 2;
        if (place < 0 || !runs.get(sortedRuns[place]).contains(row)) {
            return -1;
        }
        int run = sortedRuns[place];
        return starts[run] + (row - runs.get(run).first());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowIndex that && runs.equals(that.runs);
    }

    @Override
    public int hashCode() {
        return runs.hashCode();
    }

    /** {@code [4..6, 0, 9..12]}, in the order of the array; of many runs the first ones and how many follow. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        runs.stream().limit(SHOWN_RUNS).forEach(run -> text.add(run.toString()));
        if (runs.size() > SHOWN_RUNS) {
            text.add("and " + (runs.size() - SHOWN_RUNS) + " more runs, " + rowCount() + " rows in all");
        }
        return text.toString();
    }
}
