package org.restorej.redset;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The redundancy can't rebuild all that is lost, or contradicts the data while nothing tells which is wrong: then all
 * ranks of the set count as lost. All ranks throw the same. Nothing was changed: files that are not
 * lost can still be read.
 */
public class IrrecoverableFilesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SortedSet<Integer> lostRanks;

    /**
     * Says what is lost.
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
