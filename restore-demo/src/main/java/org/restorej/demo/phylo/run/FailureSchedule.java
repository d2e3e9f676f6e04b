package org.restorej.demo.phylo.run;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.restorej.comm.RankMap;

/**
 * The planned failures. Immutable, the same on every PE.
 *
 * @param failures in order of iterations, then of ranks
 */
public record FailureSchedule(List<Failure> failures) {
    private static final String NO_FAILURES = "none";
    /** As many digits as any int may have. */
    private static final Pattern ENTRY = Pattern.compile("(-?\\d{1,9})@(-?\\d{1,9})");

    /** No PE fails. */
    public static final FailureSchedule NONE = new FailureSchedule(List.of());

    /**
     * A planned failure, written {@code RANK@ITERATION}.
     *
     * @param originalRank the PE that fails
     * @param iteration the iteration before which it fails, from 1
     */
    public record Failure(int originalRank, int iteration) {
        @Override
        public String toString() {
            return originalRank + "@" + iteration;
        }
    }

    /** Sorts the failures. */
    public FailureSchedule {
        failures = failures.stream()
                .sorted(Comparator.comparingInt(Failure::iteration).thenComparingInt(Failure::originalRank)).toList();
    }

    /**
     * Parses {@code RANK@ITERATION[,...]} or {@code none}.
     *
     * @param errors takes a message for each entry that is written differently; such entries are left out
     */
    public static FailureSchedule parse(String text, List<String> errors) {
        if (text.equals(NO_FAILURES)) {
            return NONE;
        }
        List<Failure> failures = new ArrayList<>();
        for (String entry : text.split(",", -1)) {
            Matcher matcher = ENTRY.matcher(entry.strip());
            if (matcher.matches()) {
                failures.add(new Failure(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
            } else {
                errors.add("failures must be written RANK@ITERATION[,RANK@ITERATION...], found '" + entry + "'");
            }
        }
        return new FailureSchedule(failures);
    }

    /** What can't happen with so many PEs and iterations: a message each. */
    public List<String> errors(int peCount, int iterations) {
        List<String> errors = new ArrayList<>();
        IntSortedSet ranks = new IntAVLTreeSet();
        for (Failure failure : failures) {
            if (failure.originalRank() < 0 || failure.originalRank() >= peCount) {
                errors.add("the rank must be in 0.." + (peCount - 1) + ": " + failure);
            } else if (!ranks.add(failure.originalRank())) {
                errors.add("rank " + failure.originalRank() + " can't fail twice: " + failure);
            }
            if (failure.iteration() < 1 || failure.iteration() > iterations) {
                errors.add("the iteration must be in 1.." + iterations + ": " + failure);
            }
        }
        if (ranks.size() == peCount) {
            errors.add("a PE must be left: all " + peCount + " of them are to fail");
        }
        return errors;
    }

    /** Current ranks of the PEs that fail in an iteration; none that have failed before, when it is repeated. */
    public IntSortedSet currentRanksFailingAt(int iteration, RankMap ranks) {
        IntSortedSet failing = new IntAVLTreeSet();
        for (Failure failure : failures) {
            int currentRank = ranks.currentRankOf(failure.originalRank());
            if (failure.iteration() == iteration && currentRank >= 0) {
                failing.add(currentRank);
            }
        }
        return failing;
    }

    /** The failures of iterations beyond one. */
    public FailureSchedule after(int iteration) {
        return new FailureSchedule(failures.stream().filter(failure -> failure.iteration() > iteration).toList());
    }

    public boolean isEmpty() {
        return failures.isEmpty();
    }

    /** As it is parsed. */
    @Override
    public String toString() {
        return failures.isEmpty()
                ? NO_FAILURES
                : failures.stream().map(Failure::toString).collect(Collectors.joining(","));
    }
}
