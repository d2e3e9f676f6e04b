package org.restorej.exchange;

import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.Placement;
import org.restorej.placement.RangePermutation;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * Which blocks have arrived at a PE in a submission, so that blocks submitted twice or not at all are found. Each part
 * of a range is watched by the first of its holders: one bit a block, so {@code B / (8 P)} bytes a PE. One thread.
 */
final class Coverage {
    /** How many faulty runs are kept to be named; the others are only counted. */
    private static final int NAMED_RUNS = 8;

    private final ReplicaMemory memory;
    private final RangePermutation permutation;
    /** Bits of each watched region; empty where another PE watches. */
    private final long[][] bits;
    private final FaultyBlocks twice = new FaultyBlocks();

    /** Faulty blocks: how many, and some of them. */
    static final class FaultyBlocks {
        private final List<BlockRange> named = new ArrayList<>();
        private long count;

        private void add(RangePermutation permutation, long position, long positions) {
            count += positions;
            long done = 0;
            while (done < positions && named.size() < NAMED_RUNS) {
                long together = Math.min(positions - done, permutation.runAtPosition(position + done));
                named.add(BlockRange.of(permutation.blockAt(position + done), together));
                done += together;
            }
        }

        boolean isEmpty() {
            return count == 0;
        }

        @Override
        public String toString() {
            BlockRanges runs = BlockRanges.of(named);
            return runs.blockCount() == count ? runs.toString() : runs + " and others, " + count + " in all";
        }
    }

    Coverage(ReplicaMemory memory, Residency residency, RangePermutation permutation, int originalRank) {
        this.memory = memory;
        this.permutation = permutation;
        Placement placement = residency.placement();
        int[] holders = new int[placement.replication()];
        bits = new long[memory.regionCount()][];
        for (int region = 0; region < bits.length; region++) {
            long first = memory.firstPosition(region);
            int range = placement.rangeOf(first);
            residency.holders(range, residency.partOf(range, first), holders);
            long blocks = memory.end(region) - first;
            bits[region] = new long[holders[0] == originalRank ? Math.toIntExact((blocks + 63) >>> 6) : 0];
        }
    }

    /** Notes that these positions have arrived; they lie in one region. */
    void mark(long position, long count) {
        int region = memory.regionOf(position);
        long[] words = bits[region];
        if (words.length == 0) {
            return;
        }
        long from = position - memory.firstPosition(region);
        long to = from + count;
        while (from < to) {
            int word = (int) (from >>> 6);
            long wordEnd = Math.min(to, (word + 1L) << 6);
            long mask = -1L >>> (64 - (wordEnd - from)) << from;
            if ((words[word] & mask) != 0) {
                long overlap = words[word] & mask;
                forEachRun(overlap, (bit, length) -> twice.add(permutation,
                        memory.firstPosition(region) + ((long) word << 6) + bit, length));
            }
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

    /** Blocks that have not arrived. */
    FaultyBlocks missing() {
        FaultyBlocks missing = new FaultyBlocks();
        for (int region = 0; region < bits.length; region++) {
            long first = memory.firstPosition(region);
            long blocks = memory.end(region) - first;
            for (int word = 0; word < bits[region].length; word++) {
                long wordFirst = (long) word << 6;
                long valid = blocks - wordFirst >= 64 ? -1L : -1L >>> (64 - (blocks - wordFirst));
                forEachRun(~bits[region][word] & valid,
                        (bit, length) -> missing.add(permutation, first + wordFirst + bit, length));
            }
        }
        return missing;
    }
}
