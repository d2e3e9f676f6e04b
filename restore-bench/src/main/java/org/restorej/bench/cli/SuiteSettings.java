package org.restorej.bench.cli;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What is chosen of the suite.
 *
 * @param pes numbers of ranks, ascending
 * @param bytes data of a rank, ascending
 * @param iterations measurements of each collective operation, where they are not the suite's own
 * @param only leaves out benchmarks in whose names this is not found
 */
record SuiteSettings(List<Integer> pes, List<Long> bytes, OptionalInt iterations, Pattern only) {
    /** Copies. */
    SuiteSettings {
        pes = List.copyOf(pes);
        bytes = List.copyOf(bytes);
    }

    /** Bytes at which what doesn't depend on them is measured: 16 MiB or what is next to it. */
    long mainBytes() {
        return bytes.stream().filter(each -> each <= 16 << 20).reduce((_, last) -> last).orElse(bytes.getFirst());
    }
}
