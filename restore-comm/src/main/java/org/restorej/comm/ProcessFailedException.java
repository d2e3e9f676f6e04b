package org.restorej.comm;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A process on which the operation depends has failed. The survivors call {@link Communicator#revoke}, then
 * {@link Communicator#shrink}, and continue on the communicator that it returns.
 */
public non-sealed class ProcessFailedException extends CommunicationFailedException {
    private static final long serialVersionUID = 1L;

    /** Numbers, so that they can be serialized. */
    private final int[] failedRanks;

    /**
     * Creates the exception for a call that a failure has ended.
     *
     * @param operation name of the call
     * @param failedRanks the failed processes known here; other PEs may know of others
     */
    public ProcessFailedException(String operation, Collection<OriginalRank> failedRanks) {
        super(operation + " failed: original ranks " + new TreeSet<>(failedRanks) + " have failed");
        this.failedRanks = failedRanks.stream().mapToInt(OriginalRank::value).toArray();
    }

    /** Original ranks of the failed processes that this PE knew of, ascending; other PEs may have known of others. */
    public SortedSet<OriginalRank> failedRanks() {
        SortedSet<OriginalRank> ranks = new TreeSet<>();
        for (int rank : failedRanks) {
            ranks.add(OriginalRank.of(rank));
        }
        return ranks;
    }
}
