package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class GoalsTest {
    private static BenchmarkKey store(String benchmark, String pes, String... more) {
        BenchmarkKey key = Samples.key(benchmark + "Benchmark.run", "bytes", "16777216", "blockBytes", "64",
                "replication", "4", "permutationRangeBytes", "262144", "pes", pes);
        for (int i = 0; i < more.length; i += 2) {
            key = key.with(more[i], more[i + 1]);
        }
        return key;
    }

    private static Measurement counting(BenchmarkKey key, double millis, Map<String, Double> counters) {
        return new Measurement(key, "ms/op", List.of(millis), OptionalDouble.empty(), counters);
    }

    private static Measurement kernel(String benchmark, double gigabytesPerSecond, String... params) {
        return new Measurement(Samples.key(benchmark, params), "ms/op", List.of(1.0),
                OptionalDouble.of(gigabytesPerSecond * 1e6), Map.of());
    }

    private static TargetRow only(List<Measurement> measurements) {
        List<TargetRow> rows = Goals.of(measurements);
        assertEquals(1, rows.size(), rows::toString);
        return rows.getFirst();
    }

    @Test
    void comparesASubmitWithTheWireLimitOfTheSameRun() {
        TargetRow row = only(List.of(Samples.of(store("Submit", "4", "method", "restore"), 26),
                Samples.of(store("Submit", "4", "method", "wire"), 20),
                Samples.of(store("Submit", "4", "method", "files"), 1)));
        assertEquals(new TargetRow("submit", "4 PEs", "26.0 ms", "wire limit 20.0 ms", "1.30", "≤ 1.30", true), row);
    }

    @Test
    void saysThatAGoalIsMissed() {
        List<Measurement> measurements = List.of(
                Samples.of(store("Pull", "8", "method", "restore", "pattern", "ALL"), 20.1),
                Samples.of(store("Pull", "8", "method", "wire", "pattern", "ALL"), 10));
        assertFalse(only(measurements).isReached());
        assertTrue(TargetRow.table("Goals", "", Goals.of(measurements)).contains(
                "| 8 PEs | 20.1 ms  | wire limit 10.0 ms | 2.01  | ≤ 2.00   | no      |"));
    }

    @Test
    void saysNothingOfOtherShapesOrWithoutTheRival() {
        assertEquals(List.of(), Goals.of(List.of(Samples.of(store("Submit", "4", "method", "restore"), 26))));
        assertEquals(List.of(), Goals.of(List.of(
                Samples.of(store("Submit", "4", "method", "restore", "blockBytes", "16"), 26),
                Samples.of(store("Submit", "4", "method", "wire", "blockBytes", "16"), 20))));
        assertEquals("", TargetRow.table("Goals", "", List.of()));
    }

    @Test
    void comparesWhatAPullOfAShareTakesWithTheCppImplementationWhereThatWasMeasured() {
        List<Measurement> pulls = new ArrayList<>();
        for (String pes : List.of("2", "4", "8")) {
            pulls.add(Samples.of(store("Pull", pes, "method", "restore", "pattern", "SHARE"), 2.2));
        }
        List<TargetRow> rows = Goals.of(pulls);
        assertEquals(List.of("4 PEs", "8 PEs"), rows.stream().map(TargetRow::at).toList());
        assertEquals(List.of(false, true), rows.stream().map(TargetRow::isReached).toList());
    }

    @Test
    void tellsOfTheFirstPullAndOfTheMemoryBeforeIt() {
        double mebibyte = 1 << 20;
        List<TargetRow> rows = Goals.of(List.of(counting(store("FirstPull", "4"), 19.9,
                Map.of("memoryBytes", 131 * mebibyte, "replicaBytes", 64 * mebibyte)),
                counting(store("FirstPull", "8"), 40,
                        Map.of("memoryBytes", 132 * mebibyte, "replicaBytes", 64 * mebibyte))));
        assertEquals(List.of("19.9 ms", "131 MiB", "132 MiB"), rows.stream().map(TargetRow::measured).toList());
        assertEquals(List.of(true, true, false), rows.stream().map(TargetRow::isReached).toList());
        assertEquals("replicas 64.0 MiB", rows.getLast().reference());
    }

    @Test
    void ratesOfIsalFromJavaMustBeNearThoseFromC() {
        TargetRow row = only(List.of(kernel("IsalBenchmark.encode", 17, "method", "isal", "pieceBytes", "65536"),
                kernel("IsalBenchmark.encode", 20, "method", "isal-c", "pieceBytes", "65536")));
        assertEquals("17.0 GB/s", row.measured());
        assertEquals("0.85", row.ratio());
        assertFalse(row.isReached());
    }

    @Test
    void thePortableKernelHasARateToReach() {
        List<TargetRow> rows = Goals.of(List.of(
                kernel("ErasureKernelBenchmark.apply", 4.1, "kernel", "swar", "members", "8", "checksums", "2",
                        "pieceBytes", "65536"),
                kernel("ErasureKernelBenchmark.accumulate", 3.9, "kernel", "swar", "members", "8", "checksums", "2",
                        "pieceBytes", "65536"),
                kernel("ErasureKernelBenchmark.apply", 1, "kernel", "scalar", "members", "8", "checksums", "2",
                        "pieceBytes", "65536")));
        assertEquals(List.of(true, false), rows.stream().map(TargetRow::isReached).toList());
    }

    @Test
    void protectingAndRecoveringFilesCountTogether() {
        List<Measurement> files = new ArrayList<>();
        for (String operation : List.of("apply", "recover")) {
            files.add(Samples.of(Samples.key("RedsetBenchmark.run", "bytes", "67108864", "pes", "4", "scheme", "RS",
                    "operation", operation, "method", "redset"), 139));
        }
        TargetRow row = only(files);
        assertEquals("278 ms", row.measured());
        assertEquals("redset 1.17 s", row.reference());
        assertTrue(row.isReached());
    }
}
