package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class SuiteTest {
    private static final long MEBIBYTE = 1 << 20;

    private static Suite suite(String only, OptionalInt iterations, Long... bytes) {
        return new Suite(new SuiteSettings(List.of(8), List.of(bytes), iterations, Pattern.compile(only)),
                new RankJobs(Path.of(""), "", Path.of(""), false), true, System.err);
    }

    private static Set<Long> bytes(Suite suite) {
        return suite.runs(8).stream().flatMap(run -> run.params().getOrDefault("bytes", List.of()).stream())
                .map(Long::parseLong).collect(Collectors.toSet());
    }

    @Test
    void noStoreHasMoreBytesThanWereAskedFor() {
        assertEquals(Set.of(64L), bytes(suite("Submit|Pull", OptionalInt.empty(), 64L)));
        assertEquals(Set.of(MEBIBYTE, 20 * MEBIBYTE),
                bytes(suite("Submit|Pull", OptionalInt.empty(), MEBIBYTE, 20 * MEBIBYTE)));
    }

    @Test
    void fewMeasurementsTakeAShortWarmUp() {
        assertEquals(List.of("-i", "15", "-wi", "60"),
                suite("Submit", OptionalInt.empty(), 64L).runs(8).getFirst().options());
        assertEquals(List.of("-i", "1", "-wi", "5"),
                suite("Submit", OptionalInt.of(1), 64L).runs(8).getFirst().options());
    }

    @Test
    void everyBenchmarkIsInTheSuiteOnce() {
        Suite suite = suite("", OptionalInt.empty(), 64L);
        List<JmhRun> runs = Stream.concat(suite.runs(8).stream(), suite.runsOfOneJvm().stream()).toList();
        Set<String> listed = BenchmarkList.defaultList().getAll(OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT), List.of("FlippedBit"))
                .stream().map(BenchmarkListEntry::getUsername).collect(Collectors.toSet());
        assertFalse(listed.isEmpty());
        for (String name : listed) {
            assertEquals(1, runs.stream().filter(run -> Pattern.compile(run.include()).matcher(name).find()).count(),
                    name);
        }
    }

    @Test
    void firstCallsAreToldApart() {
        List<Double> calls = Collections.nCopies(22, 2.5);
        assertEquals("{1=1, 2 to 20=19, later=2}", sizes(CallGroups.EARLY_AND_LATER, calls));
        assertEquals("{1=1, 2 to 20=1}", sizes(CallGroups.EARLY_AND_LATER, calls.subList(0, 2)));
        assertEquals("{1=1, 3=1, later=5}", sizes(CallGroups.THIRD, calls.subList(0, 8)));
        assertEquals("{1=1}", sizes(CallGroups.THIRD, calls.subList(0, 1)));
        assertEquals(List.of(3.0), CallGroups.THIRD.of(List.of(1.0, 2.0, 3.0, 4.0)).get("3"));
    }

    private static String sizes(CallGroups groups, List<Double> calls) {
        return groups.of(calls).entrySet().stream().map(each -> each.getKey() + "=" + each.getValue().size())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
