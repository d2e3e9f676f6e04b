package org.restorej.redset;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a recovery found and did; the same on all ranks.
 *
 * @param rebuiltRanks ranks in the communicator whose files were rebuilt, ascending; empty when all were whole
 * @param unverifiedRanks ranks whose contents could not be compared with checksums, since none are recorded: files that
 *        redset wrote, and data files of SCR without CRCs
 */
public record FileRecovery(SortedSet<Integer> rebuiltRanks, SortedSet<Integer> unverifiedRanks) {
    /** Copies the sets. */
    public FileRecovery {
        rebuiltRanks = Collections.unmodifiableSortedSet(new TreeSet<>(rebuiltRanks));
        unverifiedRanks = Collections.unmodifiableSortedSet(new TreeSet<>(unverifiedRanks));
    }
}
