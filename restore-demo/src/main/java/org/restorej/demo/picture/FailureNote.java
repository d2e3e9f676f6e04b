package org.restorej.demo.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.restorej.demo.run.RunTrace;

/** Says in a line for each failure who failed, in which iteration, and how long the recovery took. Pure. */
final class FailureNote {
    private static final int MAX_LINES = 8;
    private static final int MAX_NAMES = 6;
    private static final double NANOS_PER_MILLI = 1e6;

    private FailureNote() {}

    /** Of many failures the first ones, and how many follow. */
    static List<String> of(List<RunTrace.Failure> failures) {
        List<String> lines = new ArrayList<>(failures.stream().limit(MAX_LINES).map(FailureNote::text).toList());
        if (failures.size() > MAX_LINES) {
            long pes = failures.stream().skip(MAX_LINES).mapToLong(failure -> failure.originalRanks().size()).sum();
            lines.add("and " + pes + " more PEs in " + (failures.size() - MAX_LINES) + " failures");
        }
        return lines;
    }

    private static String text(RunTrace.Failure failure) {
        Long recovered = failure.recoveredNanos();
        return pes(failure.originalRanks()) + " in iteration " + failure.iteration() + ", " + (recovered == null
                ? "data lost"
                : String.format(Locale.ROOT, "recovered after %.1f ms",
                        (recovered - failure.nanos()) / NANOS_PER_MILLI));
    }

    private static String pes(List<Integer> ranks) {
        if (ranks.size() > MAX_NAMES) {
            return ranks.size() + " PEs fail";
        }
        return ranks.size() == 1
                ? "PE " + ranks.getFirst() + " fails"
                : "PEs " + ranks.stream().limit(ranks.size() - 1L).map(String::valueOf)
                        .collect(Collectors.joining(", ")) + " and " + ranks.getLast() + " fail";
    }
}
