package org.restorej.bench.cli;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What is chosen of the suite.
 *
 * @param full whether all of it
 * @param pes numbers of ranks, ascending
 * @param bytes data of a rank, ascending
 * @param iterations measurements of each collective operation, where they are not the suite's own
 * @param only leaves out benchmarks in whose names this is not found
 */
record SuiteSettings(boolean full, List<Integer> pes, List<Long> bytes, OptionalInt iterations, Pattern only) {
    private static final int QUICK_WARM_UP_MILLIS = 1200;
    private static final int FULL_WARM_UP_MILLIS = 3000;
    private static final int WARM_UP_MILLIS_PER_ITERATION = 100;

    /** Copies. */
    SuiteSettings {
        pes = List.copyOf(pes);
        bytes = List.copyOf(bytes);
    }

    /** How long a collective operation is warmed up at most; less where few measurements are asked for. */
    int warmUpMillis() {
        int millis = full ? FULL_WARM_UP_MILLIS : QUICK_WARM_UP_MILLIS;
        return Math.min(millis, WARM_UP_MILLIS_PER_ITERATION * iterations.orElse(millis));
    }

    /** The number of ranks at which everything is measured: 4 or what is next to it. */
    int mainPes() {
        return pes.stream().filter(each -> each <= 4).reduce((_, last) -> last).orElse(pes.getFirst());
    }

    /** Bytes at which what doesn't depend on them is measured: 16 MiB or what is next to it. */
    long mainBytes() {
        return bytes.stream().filter(each -> each <= 16 << 20).reduce((_, last) -> last).orElse(bytes.getFirst());
    }

    List<String> byteValues() {
        return bytes.stream().map(String::valueOf).toList();
    }
}
