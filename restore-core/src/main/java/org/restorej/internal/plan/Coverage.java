package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import java.util.Arrays;
import java.util.Optional;
import org.restorej.internal.placement.Placement;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Which blocks have arrived at a PE in a submission, so that blocks submitted twice or not at all are found. Each part
 * of a range is watched by the first of its holders: one bit a block, so {@code B / (8 P)} bytes a PE. One thread.
 */
public final class Coverage {
    private final RangePermutation permutation;
    /** First position of each watched part, ascending. */
    private final long[] firsts;
    private final long[] ends;
    private final long[][] bits;
    private final FaultyBlocks twice = new FaultyBlocks();

    /** Watches what a store rank is the first holder of. */
    public Coverage(ReplicaMap residency, RangePermutation permutation, int originalRank) {
        this.permutation = permutation;
        Placement placement = residency.placement();
        int[] holders = new int[placement.replication()];
        Long2LongRBTreeMap watched = new Long2LongRBTreeMap();
        residency.forEachPartHeldBy(originalRank, (first, end) -> {
            if (first < end) {
                int range = placement.rangeOf(first);
                // One part may be several slices; whoever holds it all is the first holder of each slice or of none.
                residency.holders(range, residency.partOf(range, first), holders);
                if (holders[0] == originalRank) {
                    watched.put(first, end);
                }
            }
        });
        firsts = watched.keySet().toLongArray();
        ends = watched.values().toLongArray();
        bits = new long[firsts.length][];
        for (int part = 0; part < firsts.length; part++) {
            bits[part] = new long[Math.toIntExact((ends[part] - firsts[part] + 63) >>> 6)];
        }
    }

    /** Notes that these positions have arrived. */
    public void mark(long position, long count) {
        int found = Arrays.binarySearch(firsts, position);
        int part = found >= 0 ? found : Math.max(0, -found - 2);
        for (; part < firsts.length && firsts[part] < position + count; part++) {
            long from = Math.max(position, firsts[part]) - firsts[part];
            long to = Math.min(position + count, ends[part]) - firsts[part];
            markPart(part, from, to);
        }
    }

    private void markPart(int part, long start, long to) {
        long[] words = bits[part];
        long from = start;
        while (from < to) {
            int word = (int) (from >>> 6);
            long wordEnd = Math.min(to, (word + 1L) << 6);
            long mask = -1L >>> (64 - (wordEnd - from)) << from;
            addRuns(words[word] & mask, firsts[part] + ((long) word << 6), twice);
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

    /** Blocks that arrived more than once. */
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

    /** Blocks that have not arrived. */
    FaultyBlocks missing() {
        FaultyBlocks missing = new FaultyBlocks();
        for (int part = 0; part < bits.length; part++) {
            long first = firsts[part];
            long blocks = ends[part] - first;
            for (int word = 0; word < bits[part].length; word++) {
                long wordFirst = (long) word << 6;
                long valid = blocks - wordFirst >= 64 ? -1L : -1L >>> (64 - (blocks - wordFirst));
                addRuns(~bits[part][word] & valid, first + wordFirst, missing);
            }
        }
        return missing;
    }
}
