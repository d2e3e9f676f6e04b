package org.restorej.comm.local;

import java.util.List;
import java.util.stream.Collectors;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/**
 * The program of a PE threw; the cause is what the first one threw. What other PEs threw because of that, such as that
 * a process has failed, is a line each of the message; exceptions of their own are suppressed.
 */
public class PeFailedException extends RuntimeException {
    private static final int MAX_LINES = 16;

    private static final long serialVersionUID = 1L;

    private final OriginalRank originalRank;

    /**
     * An exception for the caller of a run.
     *
     * @param failures the first is the reason of the run's failure
     */
    PeFailedException(List<? extends PeOutcome.Threw<?>> failures) {
        super("the PE of original rank " + failures.getFirst().originalRank() + " failed: "
                + failures.getFirst().thrown() + consequences(failures), failures.getFirst().thrown());
        originalRank = failures.getFirst().originalRank();
        failures.stream().skip(1).filter(other -> !other.isConsequence())
                .forEach(other -> addSuppressed(other.thrown()));
    }

    private static String consequences(List<? extends PeOutcome.Threw<?>> failures) {
        List<String> lines = failures.stream().skip(1).filter(PeOutcome.Threw::isConsequence)
                .map(other -> "\n  PE " + other.originalRank() + ": " + other.thrown()).toList();
        return lines.stream().limit(MAX_LINES).collect(Collectors.joining())
                + (lines.size() > MAX_LINES ? "\n  and so on " + (lines.size() - MAX_LINES) + " more PEs" : "");
    }

    /** Who threw first. */
    public OriginalRank originalRank() {
        return originalRank;
    }
}
