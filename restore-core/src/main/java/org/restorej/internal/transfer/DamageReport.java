package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Arrays;
import java.util.BitSet;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.DamagedReplicas;

/**
 * Brings every PE to know which replicas some have found damaged: rare, so simple. By three sums over all PEs, to which
 * each contributes what nobody else does: a bit for each PE, a number for each one that has found damage, and all that
 * was found. So memory is linear in the damage, and P bits.
 */
public final class DamageReport {
    private DamageReport() {}

    /**
     * Tells the others what was found here, and learns what they have found. Called by all PEs; settled.
     *
     * @param known what all PEs know already
     * @param storeRank this PE
     * @param found first positions of the chunks that are damaged here
     */
    public static DamagedReplicas exchange(Channel channel, DamagedReplicas known, int storeRank, LongSet found) {
        return channel.settle("comparing damage",
                () -> Settlement.Outcome.of(gather(channel.communicator(), known, storeRank, found)))
                .result();
    }

    private static DamagedReplicas gather(Communicator communicator, DamagedReplicas known, int storeRank,
            LongSet found) {
        long[] finders = new long[(communicator.size() + Long.SIZE - 1) / Long.SIZE];
        int rank = communicator.rank();
        if (!found.isEmpty()) {
            finders[rank / Long.SIZE] = 1L << rank;
        }
        communicator.allReduce(finders, Reduction.SUM);
        int place = BitSet.valueOf(finders).get(0, rank).cardinality();
        long[] lengths = new long[BitSet.valueOf(finders).cardinality()];
        if (!found.isEmpty()) {
            lengths[place] = found.size();
        }
        communicator.allReduce(lengths, Reduction.SUM);
        // Of each finder its store rank, and then its chunks.
        long[] records = new long[Math.toIntExact(lengths.length + Arrays.stream(lengths).sum())];
        if (!found.isEmpty()) {
            int start = (int) (place + Arrays.stream(lengths, 0, place).sum());
            records[start] = storeRank;
            System.arraycopy(found.toLongArray(), 0, records, start + 1, found.size());
        }
        communicator.allReduce(records, Reduction.SUM);
        DamagedReplicas.Builder all = new DamagedReplicas.Builder(known);
        int next = 0;
        for (long length : lengths) {
            int finder = (int) records[next++];
            for (long i = 0; i < length; i++) {
                all.add(records[next++], finder);
            }
        }
        return all.build();
    }
}
