package org.restorej;

import org.restorej.placement.FailedRanks;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * One complete submission: which it is, where its replicas are, and those that this PE holds.
 *
 * @param number 1 for the first submission
 * @param residency where the replicas are
 * @param memory this PE's part, owned by the generation
 */
record Generation(long number, Residency residency, ReplicaMemory memory) implements AutoCloseable {
    /** The same after these ranks have lost what they held. */
    Generation without(FailedRanks ranks) {
        return new Generation(number, residency.lost(ranks), memory);
    }

    @Override
    public void close() {
        memory.close();
    }
}
