package org.restorej.redset;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * More is lost than the redundancy can give back. Every rank gets the same, nothing was changed, and what is there can
 * still be read.
 */
public class IrrecoverableFilesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SortedSet<Integer> lostRanks;

    /**
     * A loss.
     *
     * @param message which ranks are missing in which sets, and what their schemes can bear
     * @param lostRanks ranks in the communicator whose files can't be had again
     */
    public IrrecoverableFilesException(String message, SortedSet<Integer> lostRanks) {
        super(message);
        this.lostRanks = Collections.unmodifiableSortedSet(new TreeSet<>(lostRanks));
    }

    /** Ranks in the communicator whose files, or some of them, can't be had again. */
    public SortedSet<Integer> lostRanks() {
        return lostRanks;
    }
}
