package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import org.restorej.comm.Communicator;
import org.restorej.comm.Task;
import org.restorej.internal.placement.DamagedReplicas;

/** Brings every PE to know which replicas some have found damaged. */
final class DamageReport {
    private DamageReport() {}

    /**
     * Tells the others what was found here, and comes to what all PEs know then. Begun by all PEs.
     *
     * @param known what all PEs know already
     * @param storeRank this PE
     * @param found first positions of the chunks that are damaged here
     */
    static Task<DamagedReplicas> exchange(Communicator communicator, DamagedReplicas known, int storeRank,
            LongSet found) {
        // The store rank, and then the chunks.
        long[] record = new long[1 + found.size()];
        record[0] = storeRank;
        System.arraycopy(found.toLongArray(), 0, record, 1, found.size());
        return GatheredRecords.of(communicator, found.isEmpty() ? null : record, Integer.MAX_VALUE).then(gathered -> {
            DamagedReplicas.Builder all = new DamagedReplicas.Builder(known);
            for (GatheredRecords.Told told : gathered.first()) {
                for (int i = 1; i < told.words().size(); i++) {
                    all.add(told.words().getLong(i), (int) told.words().getLong(0));
                }
            }
            return all.build();
        });
    }
}
