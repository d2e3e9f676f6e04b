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
 * Records which blocks have arrived at a PE in a submission, to find blocks submitted twice or not at all. Each piece
 * of a block range is checked by the first of its holders. Memory: one bit a block, so {@code B / (8 P)} bytes a PE.
 * Not thread-safe.
 */
public final class Coverage {
    private final BlockPositions permutation;
    /** First position of each checked run, ascending. */
    private final long[] firsts;
    private final long[] ends;
    private final long[][] bits;
    private final FaultyBlocks twice = new FaultyBlocks();

    /** Checks the positions of which a store rank is the first holder. */
    public Coverage(ReplicaMap replicaMap, BlockPositions permutation, int storeRank) {
        this.permutation = permutation;
        Placement placement = replicaMap.placement();
        CodedLayout layout = replicaMap.ring().layout();
        int[] holders = new int[placement.replication()];
        Long2LongSortedMap watched = replicaMap.runsHeldBy(storeRank);
        watched.long2LongEntrySet().removeIf(run -> {
            // A run may have several pieces. A holder of the whole run is the first holder of all of them or of
            // none.
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

    /** Marks positions without blocks, in cells at the end of the last row. */
    private void noteWithoutBlocks(@Nullable CodedLayout layout) {
        for (int part = 0; layout != null && part < layout.dataParts() && layout.rowCount() > 0; part++) {
            long blocks = layout.blocksIn(layout.rowCount() - 1, part);
            long first = layout.cell(layout.rowCount() - 1, part) + blocks;
            mark(first, layout.cellBlocks() - blocks);
        }
    }

    /** Records that these positions have arrived. */
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

    /** Adds the blocks whose bits are set. The lowest bit is that of {@code position}. */
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

    /** The errors after all rounds: ids submitted twice or not at all. */
    public Optional<String> complaint() {
        FaultyBlocks missing = missing();
        if (missing.isEmpty()) {
            return complaintOfTwice();
        }
        String text = "blocks submitted by no PE: " + missing;
        return Optional.of(complaintOfTwice().map(other -> other + "; " + text).orElse(text));
    }

    /** The errors after all rounds if blocks may be missing: ids submitted twice. */
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
