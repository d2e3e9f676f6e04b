package org.restorej.redset;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The redundancy can't rebuild all lost files, or it contradicts the data and it is unknown which of them is wrong;
 * then all ranks of the set count as lost. Thrown on all ranks. Nothing was changed, so files that are not lost can
 * still be read.
 */
public class IrrecoverableFilesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SortedSet<Integer> lostRanks;

    /**
     * Creates the exception.
     *
     * @param message the missing ranks of each set, and how many the scheme tolerates
     * @param lostRanks ranks in the communicator whose files are lost
     */
    public IrrecoverableFilesException(String message, SortedSet<Integer> lostRanks) {
        super(message);
        this.lostRanks = Collections.unmodifiableSortedSet(new TreeSet<>(lostRanks));
    }

    /** Ranks in the communicator some or all of whose files are lost. */
    public SortedSet<Integer> lostRanks() {
        return lostRanks;
    }
}
