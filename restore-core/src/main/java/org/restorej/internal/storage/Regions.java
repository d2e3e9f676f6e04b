package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import org.restorej.internal.placement.ReplicaMap.PartConsumer;

/** Collects disjoint runs of positions in any order and hands them out sorted; empty ones are dropped. */
final class Regions {
    private final Long2LongRBTreeMap endOf = new Long2LongRBTreeMap();

    void add(long first, long end) {
        if (first < end) {
            endOf.put(first, end);
        }
    }

    void forEach(PartConsumer consumer) {
        endOf.long2LongEntrySet().forEach(run -> consumer.accept(run.getLongKey(), run.getLongValue()));
    }
}
