package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Task;

/**
 * Records that a few PEs have sent to all: errors or damage.
 *
 * @param tellers number of PEs that have sent a record
 * @param first records of the PEs with the lowest ranks, in order of rank
 */
record GatheredRecords(int tellers, List<Told> first) {
    /**
     * The record of one PE.
     *
     * @param rank its current rank
     */
    record Told(int rank, LongList words) {}

    /**
     * Gathers records on all PEs, for rare cases. Uses three sums over all PEs, to which each contributes distinct
     * elements: a bit for each PE, the lengths of the records, and the records. So memory is linear in the records,
     * plus P bits.
     *
     * @param own record of this PE, or null
     * @param most maximum number of records
     */
    static Task<GatheredRecords> of(Communicator communicator, long @Nullable [] own, int most) {
        int rank = communicator.rank();
        long[] bits = new long[(communicator.size() + Long.SIZE - 1) / Long.SIZE];
        if (own != null) {
            bits[rank / Long.SIZE] = 1L << rank;
        }
        return Task.done(bits).thenBegin(mine -> sum(communicator, mine)).thenBegin(sum -> {
            BitSet tellers = BitSet.valueOf(sum);
            int before = tellers.get(0, rank).cardinality();
            long[] lengths = new long[Math.min(most, tellers.cardinality())];
            long[] mine = own == null || before >= lengths.length ? new long[0] : own;
            if (mine.length > 0) {
                lengths[before] = mine.length;
            }
            return sum(communicator, lengths).thenBegin(_ -> {
                int[] ends = Arrays.stream(lengths).mapToInt(Math::toIntExact).toArray();
                Arrays.parallelPrefix(ends, Math::addExact);
                long[] words = new long[lengths.length == 0 ? 0 : ends[lengths.length - 1]];
                System.arraycopy(mine, 0, words, mine.length == 0 ? 0 : ends[before] - mine.length, mine.length);
                return sum(communicator, words).then(_ -> new GatheredRecords(tellers.cardinality(),
                        cut(words, ends, tellers)));
            });
        });
    }

    private static Task<long[]> sum(Communicator communicator, long[] values) {
        if (values.length == 0) {
            return Task.done(values);
        }
        Request sum = communicator.iAllReduce(values, Reduction.SUM);
        return Task.inOneStep(sum::test, () -> values);
    }

    private static List<Told> cut(long[] words, int[] ends, BitSet tellers) {
        List<Told> told = new ArrayList<>(ends.length);
        int rank = -1;
        for (int i = 0; i < ends.length; i++) {
            rank = tellers.nextSetBit(rank + 1);
            told.add(new Told(rank, LongArrayList.wrap(words).subList(i == 0 ? 0 : ends[i - 1], ends[i])));
        }
        return told;
    }
}
