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
import org.restorej.comm.Task;

/**
 * What a few PEs had to tell all others.
 *
 * @param tellers number of PEs that had something to tell
 * @param first what those of the lowest ranks have told, in the order of their ranks
 */
record GatheredRecords(int tellers, List<Told> first) {
    /**
     * What one PE has told.
     *
     * @param rank its current rank
     */
    record Told(int rank, LongList words) {}

    /**
     * Gathers it, on all PEs: rare, so simple. By three sums over all PEs, to which each contributes what nobody else
     * does: a bit for each PE, the length of what each teller has to tell, and that itself. So memory is linear in what
     * is told, and P bits.
     *
     * @param own what this PE has to tell, or null
     * @param most of so many PEs at most
     */
    static Task<GatheredRecords> of(Communicator communicator, long @Nullable [] own, int most) {
        int rank = communicator.rank();
        long[] bits = new long[(communicator.size() + Long.SIZE - 1) / Long.SIZE];
        if (own != null) {
            bits[rank / Long.SIZE] = 1L << rank;
        }
        return Task.done(bits).thenBegin(mine -> sum(communicator, mine)).thenBegin(sum -> {
            BitSet tellers = BitSet.valueOf(sum);
            long[] lengths = new long[Math.min(most, tellers.cardinality())];
            int place = own == null ? lengths.length : tellers.get(0, rank).cardinality();
            long[] told = place < lengths.length && own != null ? own : new long[0];
            if (told.length > 0) {
                lengths[place] = told.length;
            }
            return sum(communicator, lengths).thenBegin(all -> {
                long[] words = new long[Math.toIntExact(Arrays.stream(all).sum())];
                int start = (int) Arrays.stream(all).limit(place).sum();
                System.arraycopy(told, 0, words, told.length == 0 ? 0 : start, told.length);
                return sum(communicator, words).then(_ -> new GatheredRecords(tellers.cardinality(),
                        cut(words, all, tellers)));
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

    private static List<Told> cut(long[] words, long[] lengths, BitSet tellers) {
        List<Told> told = new ArrayList<>(lengths.length);
        int start = 0;
        int rank = -1;
        for (long length : lengths) {
            rank = tellers.nextSetBit(rank + 1);
            told.add(new Told(rank, LongArrayList.wrap(words).subList(start, start + (int) length)));
            start += (int) length;
        }
        return told;
    }
}
