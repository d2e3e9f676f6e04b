package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.Placement;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Which blocks have arrived at a PE in a submission, so that blocks submitted twice or not at all are found. Each part
 * of a range is watched by the first of its holders: one bit a block, so {@code B / (8 P)} bytes a PE. One thread.
 */
public final class Coverage {
    /** How many faulty runs are kept to be named; the others are only counted. */
    private static final int NAMED_RUNS = 8;

    private final RangePermutation permutation;
    /** First position of each watched part, ascending. */
    private final long[] firsts;
    private final long[] ends;
    private final long[][] bits;
    private final FaultyBlocks twice = new FaultyBlocks();

    /** Faulty blocks: how many, and some of them. */
    static final class FaultyBlocks {
        private final List<BlockRange> named = new ArrayList<>();
        private boolean allNamed = true;
        private long count;

        void add(RangePermutation permutation, long position, long positions) {
            count += positions;
            long done = 0;
            while (done < positions && allNamed) {
                long together = Math.min(positions - done, permutation.runAtPosition(position + done));
                name(BlockRange.of(permutation.blockAt(position + done), together));
                done += together;
            }
        }

        /** A long run comes in pieces, one for each word of bits, but is named as one. */
        private void name(BlockRange run) {
            if (!named.isEmpty() && named.getLast().end() == run.first()) {
                named.set(named.size() - 1, BlockRange.between(named.getLast().first(), run.end()));
            } else if (named.size() < NAMED_RUNS) {
                named.add(run);
            } else {
                allNamed = false;
            }
        }

        boolean isEmpty() {
            return count == 0;
        }

        @Override
        public String toString() {
            BlockRanges runs = BlockRanges.of(named);
            return allNamed ? runs.toString() : runs + " and others, " + count + " in all";
        }
    }

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
    void mark(long position, long count) {
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
            forEachRun(words[word] & mask, (bit, length) -> twice.add(permutation,
                    firsts[part] + ((long) word << 6) + bit, length));
            words[word] |= mask;
            from = wordEnd;
        }
    }

    /** Takes runs of bits. */
    @FunctionalInterface
    private interface BitRunConsumer {
        void accept(int firstBit, int length);
    }

    private static void forEachRun(long bits, BitRunConsumer consumer) {
        long rest = bits;
        while (rest != 0) {
            int first = Long.numberOfTrailingZeros(rest);
            int length = Long.numberOfTrailingZeros(~(rest >>> first));
            consumer.accept(first, length);
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
                forEachRun(~bits[part][word] & valid,
                        (bit, length) -> missing.add(permutation, first + wordFirst + bit, length));
            }
        }
        return missing;
    }
}
