package org.restorej.demo.picture;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.restorej.demo.run.RunTrace;

/**
 * What one or more failures are told by: who died in which iterations, and how long it took to recover. Pure.
 *
 * @param failures in order of time, at least one
 */
record DeathNote(List<RunTrace.Failure> failures) {
    private static final int MOST_NAMES = 6;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Copies. */
    DeathNote {
        failures = List.copyOf(failures);
    }

    /** The same of these failures and the later ones of another. */
    DeathNote and(DeathNote later) {
        return new DeathNote(Stream.concat(failures.stream(), later.failures.stream()).toList());
    }

    /** When the first of them died. */
    long nanos() {
        return failures.getFirst().nanos();
    }

    String text() {
        return pes() + " in " + iterations(failures) + ", " + end();
    }

    private String pes() {
        List<String> dead = failures.stream().flatMap(failure -> failure.originalRanks().stream()).map(String::valueOf)
                .toList();
        if (dead.size() > MOST_NAMES) {
            return dead.size() + " PEs fail";
        }
        return dead.size() == 1 ? "PE " + dead.getFirst() + " fails" : "PEs " + listed(dead) + " fail";
    }

    /** {@code 1, 2 and 5}. */
    private static String listed(List<String> names) {
        return names.stream().limit(names.size() - 1L).collect(Collectors.joining(", ")) + " and " + names.getLast();
    }

    private static String iterations(List<RunTrace.Failure> failures) {
        int[] iterations = failures.stream().mapToInt(RunTrace.Failure::iteration).sorted().distinct().toArray();
        int first = iterations[0];
        int last = iterations[iterations.length - 1];
        if (first == last) {
            return "iteration " + first;
        }
        return "iterations " + first + (iterations.length == 2 ? " and " : " to ") + last;
    }

    private String end() {
        List<RunTrace.Failure> lost = failures.stream().filter(failure -> failure.recoveredNanos() == null).toList();
        if (lost.size() == failures.size()) {
            return "data lost";
        }
        return (lost.isEmpty() ? "" : "data lost in " + iterations(lost) + ", else ") + recovery();
    }

    private String recovery() {
        long[] times = failures.stream().flatMapToLong(DeathNote::recoveryNanos).sorted().toArray();
        String least = millis(times[0]);
        String most = millis(times[times.length - 1]);
        return "recovered after " + (least.equals(most) ? most : least + " to " + most) + " ms";
    }

    private static LongStream recoveryNanos(RunTrace.Failure failure) {
        Long recovered = failure.recoveredNanos();
        return recovered == null ? LongStream.empty() : LongStream.of(recovered - failure.nanos());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MILLI);
    }
}
