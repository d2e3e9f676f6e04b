package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CollectiveSuiteTest {
    private static final long MEBIBYTE = 1 << 20;

    /** Of a full suite of four ranks. */
    private static List<JmhRun> runs(Long... bytes) {
        SuiteSettings settings = new SuiteSettings(true, List.of(4), List.of(bytes), OptionalInt.empty(),
                Pattern.compile("Submit|Pull"));
        return new CollectiveSuite(settings).jobs().stream().flatMap(job -> job.runs().stream()).toList();
    }

    private static Set<Long> bytes(List<JmhRun> runs) {
        return runs.stream().flatMap(run -> run.params().getOrDefault("bytes", List.of()).stream())
                .map(Long::parseLong).collect(Collectors.toSet());
    }

    @Test
    void noStoreHasMoreBytesThanWereAskedFor() {
        assertEquals(Set.of(64L), bytes(runs(64L)));
        assertEquals(Set.of(MEBIBYTE, 20 * MEBIBYTE), bytes(runs(MEBIBYTE, 20 * MEBIBYTE)));
    }
}
