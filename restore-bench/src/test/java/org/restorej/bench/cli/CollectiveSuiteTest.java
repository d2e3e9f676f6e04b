package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
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

    private static boolean hasManyBlocks(List<JmhRun> runs, long bytes, String... blockBytes) {
        return runs.stream().anyMatch(run -> run.params().equals(Map.of("bytes", List.of(Long.toString(bytes)),
                "blockBytes", List.of(blockBytes), "method", List.of("restore", "wire"))));
    }

    @Test
    void noStoreHasMoreBytesThanWereAskedFor() {
        assertEquals(Set.of(64L), bytes(runs(64L)));
        List<JmhRun> runs = runs(MEBIBYTE, 20 * MEBIBYTE);
        assertEquals(Set.of(MEBIBYTE, 20 * MEBIBYTE), bytes(runs));
        assertTrue(hasManyBlocks(runs, 20 * MEBIBYTE, "16"), runs::toString);
    }

    @Test
    void manySmallBlocksAreTenMillionOfAllRanksWhereThatManyBytesAreAllowed() {
        List<JmhRun> runs = runs(16 * MEBIBYTE, 64 * MEBIBYTE);
        assertEquals(Set.of(16 * MEBIBYTE, 40_000_000L, 64 * MEBIBYTE), bytes(runs));
        assertTrue(hasManyBlocks(runs, 40_000_000, "16", "64"), runs::toString);
    }
}
