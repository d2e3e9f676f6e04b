package org.restorej;

import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.placement.FailedRanks;

/**
 * The ranks of one store: its original ranks are the current ranks of the communicator it was built on, whatever that
 * one had lost before. Immutable.
 */
final class StoreRanks {
    private final RankMap atBuild;

    StoreRanks(RankMap atBuild) {
        this.atBuild = atBuild;
    }

    /** Number of PEs P. */
    int size() {
        return atBuild.size();
    }

    /** Current rank in a communicator of a PE of the store, or -1 when it is not there. */
    int currentRankOf(int storeRank, Communicator communicator) {
        return communicator.ranks().currentRankOf(atBuild.originalRankOf(storeRank));
    }

    /** Rank in the store of a PE of a communicator, or -1 when the store never knew it. */
    int storeRankOf(int currentRank, Communicator communicator) {
        return atBuild.currentRankOf(communicator.ranks().originalRankOf(currentRank));
    }

    /**
     * The ranks of the store that a communicator of survivors lacks.
     *
     * @param known who had failed before
     * @throws IllegalArgumentException when the communicator has PEs that the store never knew, or that had failed
     */
    FailedRanks missingFrom(Communicator survivors, FailedRanks known) {
        FailedRanks deadMembers = FailedRanks.of(survivors.failedRanks());
        if (!deadMembers.isEmpty()) {
            throw new IllegalArgumentException(
                    "survivors must have no dead process, shrink it first: dead original ranks " + deadMembers);
        }
        boolean[] present = new boolean[size()];
        FailedRanks returned = FailedRanks.NONE;
        FailedRanks unknown = FailedRanks.NONE;
        for (int current = 0; current < survivors.size(); current++) {
            int storeRank = storeRankOf(current, survivors);
            if (storeRank < 0) {
                unknown = unknown.union(FailedRanks.of(survivors.ranks().originalRankOf(current)));
            } else {
                present[storeRank] = true;
                if (known.contains(storeRank)) {
                    returned = returned.union(FailedRanks.of(storeRank));
                }
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "survivors must consist of PEs that built the store: it never knew original ranks " + unknown);
        }
        if (!returned.isEmpty()) {
            throw new IllegalArgumentException(
                    "survivors must not contain PEs that have failed before: original ranks " + returned);
        }
        FailedRanks missing = FailedRanks.NONE;
        for (int rank = 0; rank < present.length; rank++) {
            if (!present[rank] && !known.contains(rank)) {
                missing = missing.union(FailedRanks.of(rank));
            }
        }
        return missing;
    }

    OriginalRank rankOf(Communicator communicator) {
        return OriginalRank.of(storeRankOf(communicator.rank(), communicator));
    }
}
