package org.restorej.comm;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A process that the operation depends on has failed. The survivors call {@link Communicator#revoke}, then
 * {@link Communicator#shrink}, and go on in the communicator that it returns.
 */
public non-sealed class ProcessFailedException extends CommunicationFailedException {
    private static final long serialVersionUID = 1L;

    /** As numbers, which can be serialized. */
    private final int[] failedRanks;

    /**
     * An exception for a call that a failure has ended.
     *
     * @param operation what could not be done
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
