package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.BlockPositions;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.placement.Placement;

/**
 * Which blocks have arrived at a PE in a submission, so that blocks submitted twice or not at all are found. Each piece
 * of a block range is watched by the first of its holders: one bit a block, so {@code B / (8 P)} bytes a PE. One
 * thread.
 */
public final class Coverage {
    private final BlockPositions permutation;
    /** First position of each watched run, ascending. */
    private final long[] firsts;
    private final long[] ends;
    private final long[][] bits;
    private final FaultyBlocks twice = new FaultyBlocks();

    /** Watches what a store rank is the first holder of. */
    public Coverage(ReplicaMap replicaMap, BlockPositions permutation, int storeRank) {
        this.permutation = permutation;
        Placement placement = replicaMap.placement();
        CodedLayout layout = replicaMap.ring().layout();
        int[] holders = new int[placement.replication()];
        Long2LongSortedMap watched = replicaMap.runsHeldBy(storeRank);
        watched.long2LongEntrySet().removeIf(run -> {
            // A run may be several pieces; whoever holds it all is the first holder of each piece or of none.
            replicaMap.holders(run.getLongKey(), holders);
            return holders[0] != storeRank || (layout != null && layout.isParity(run.getLongKey()));
        });
        firsts = watched.keySet().toLongArray();
        ends = watched.values().toLongArray();
        bits = new long[firsts.length][];
        for (int run = 0; run < firsts.length; run++) {
            bits[run] = new long[Math.toIntExact((ends[run] - firsts[run] + 63) >>> 6)];
        }
        noteWithoutBlocks(layout);
    }

    /** Cells at the end of the last row may have fewer blocks than positions. */
    private void noteWithoutBlocks(@Nullable CodedLayout layout) {
        for (int part = 0; layout != null && part < layout.dataParts() && layout.rowCount() > 0; part++) {
            long blocks = layout.blocksIn(layout.rowCount() - 1, part);
            long first = layout.cell(layout.rowCount() - 1, part) + blocks;
            mark(first, layout.cellBlocks() - blocks);
        }
    }

    /** Notes that these positions have arrived. */
    public void mark(long position, long count) {
        int found = Arrays.binarySearch(firsts, position);
        int run = found >= 0 ? found : Math.max(0, -found - 2);
        for (; run < firsts.length && firsts[run] < position + count; run++) {
            long from = Math.max(position, firsts[run]) - firsts[run];
            long to = Math.min(position + count, ends[run]) - firsts[run];
            markRun(run, from, to);
        }
    }

    private void markRun(int run, long start, long to) {
        long[] words = bits[run];
        long from = start;
        while (from < to) {
            int word = (int) (from >>> 6);
            long wordEnd = Math.min(to, (word + 1L) << 6);
            long mask = -1L >>> (64 - (wordEnd - from)) << from;
            addRuns(words[word] & mask, firsts[run] + ((long) word << 6), twice);
            words[word] |= mask;
            from = wordEnd;
        }
    }

    /** Adds the blocks whose bits are set; the lowest bit is that of a position. */
    private void addRuns(long bits, long position, FaultyBlocks blocks) {
        long rest = bits;
        while (rest != 0) {
            int first = Long.numberOfTrailingZeros(rest);
            int length = Long.numberOfTrailingZeros(~(rest >>> first));
            blocks.add(permutation, position + first, length);
            rest = first + length == 64 ? 0 : rest >>> (first + length) << (first + length);
        }
    }

    FaultyBlocks twice() {
        return twice;
    }

    /** What is wrong after all rounds: ids submitted twice, or not at all. */
    public Optional<String> complaint() {
        FaultyBlocks missing = missing();
        if (missing.isEmpty()) {
            return complaintOfTwice();
        }
        String text = "blocks submitted by nobody: " + missing;
        return Optional.of(complaintOfTwice().map(other -> other + "; " + text).orElse(text));
    }

    /** What is wrong after all rounds, where blocks may be missing: ids submitted twice. */
    public Optional<String> complaintOfTwice() {
        return twice.isEmpty() ? Optional.empty() : Optional.of("blocks submitted more than once: " + twice);
    }

    FaultyBlocks missing() {
        FaultyBlocks missing = new FaultyBlocks();
        for (int run = 0; run < bits.length; run++) {
            long first = firsts[run];
            long blocks = ends[run] - first;
            for (int word = 0; word < bits[run].length; word++) {
                long wordFirst = (long) word << 6;
                long valid = blocks - wordFirst >= 64 ? -1L : -1L >>> (64 - (blocks - wordFirst));
                addRuns(~bits[run][word] & valid, first + wordFirst, missing);
            }
        }
        return missing;
    }
}
