package org.restorej.comm.local;

import java.util.List;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/** The program of a PE threw; the cause is what the first one threw, and what others threw after it is suppressed. */
public class PeFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final OriginalRank originalRank;

    PeFailedException(List<? extends PeOutcome.Threw<?>> failures) {
        super("the PE of original rank " + failures.getFirst().originalRank() + " failed: "
                + failures.getFirst().thrown(), failures.getFirst().thrown());
        originalRank = failures.getFirst().originalRank();
        failures.stream().skip(1).map(PeOutcome.Threw::thrown).forEach(this::addSuppressed);
    }

    /** Who threw first. */
    public OriginalRank originalRank() {
        return originalRank;
    }
}
