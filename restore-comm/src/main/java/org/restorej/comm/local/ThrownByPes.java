package org.restorej.comm.local;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.comm.local.LocalCluster.PeOutcome.Threw;

/**
 * What PEs of one run have thrown: the first exception, what follows from it on other PEs, and independent ones.
 *
 * @param first the cause of the run's failure
 * @param others in the order of their causes
 */
record ThrownByPes(Threw<?> first, List<? extends Threw<?>> others) {
    private static final int MAX_LINES = 16;

    /** Finds the cause among all that was thrown; at least one. */
    static ThrownByPes of(List<? extends Threw<?>> all) {
        List<? extends Threw<?>> causesFirst = all.stream().sorted(
                Comparator.<Threw<?>, Boolean>comparing(Threw::isConsequence).thenComparingInt(Threw::order))
                .toList();
        return new ThrownByPes(causesFirst.getFirst(), causesFirst.subList(1, causesFirst.size()));
    }

    private boolean isIndependent(Threw<?> other) {
        return !other.isConsequence() && !other.isSameAs(first);
    }

    /** Those of the others that neither follow from the first one nor equal it. */
    Stream<? extends Threw<?>> independent() {
        return others.stream().filter(this::isIndependent);
    }

    /** The first one, and a line for each of the others that is not independent. */
    String message() {
        List<String> lines = others.stream().filter(other -> !isIndependent(other))
                .map(other -> "\n  PE " + other.originalRank() + ": "
                        + (other.isSameAs(first) ? "the same" : other.thrown()))
                .toList();
        return "the PE of original rank " + first.originalRank() + " failed: " + first.thrown()
                + lines.stream().limit(MAX_LINES).collect(Collectors.joining())
                + (lines.size() > MAX_LINES ? "\n  and so on " + (lines.size() - MAX_LINES) + " more PEs" : "");
    }
}
