package org.restorej.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JmhResultsTest {
    @TempDir
    private Path folder = Path.of("");

    private static String entry(String benchmark, String params, String raw, String secondary) {
        return """
                {"jmhVersion": "1.37", "benchmark": "%s", "mode": "ss", "threads": 1, "forks": 0, "params": {%s},
                 "primaryMetric": {"score": 1.0, "scoreError": "NaN", "scoreConfidence": ["NaN", "NaN"],
                   "scorePercentiles": {"50.0": 1.0}, "scoreUnit": "ms/op", "rawData": [%s]},
                 "secondaryMetrics": {%s}}
                """.formatted(benchmark, params, raw, secondary);
    }

    private List<Measurement> read(String name, String... entries) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "[" + String.join(",", entries) + "]");
        return JmhResults.read(file);
    }

    @Test
    void keepsEntriesThatDifferAndPutsTogetherThoseThatDoNot() throws IOException {
        List<Measurement> first = read("first", entry("a.B.run", "\"pes\": \"4\"", "[1.0, 2.0]", ""),
                entry("a.B.run", "\"pes\": \"8\"", "[5.0]", ""));
        List<Measurement> second = read("second", entry("a.B.run", "\"pes\": \"4\"", "[3.0], [6.0]", ""));
        List<Measurement> merged = JmhResults.merge(Stream.concat(first.stream(), second.stream()).toList());
        assertEquals(List.of(List.of(1.0, 2.0, 3.0, 6.0), List.of(5.0)),
                merged.stream().map(Measurement::samples).toList());
        assertEquals(List.of("4", "8"), merged.stream().map(each -> each.key().param("pes")).toList());
    }

    @Test
    void readsWhatItHasWritten() throws IOException {
        List<Measurement> measurements = List.of(
                new Measurement(Samples.key("B.run", "pes", "4"), "ms/op", List.of(1.0, 2.5), OptionalDouble.of(64)),
                new Measurement(BenchmarkKey.of("B.run"), "us/op", List.of(3.0), OptionalDouble.empty()));
        Path file = folder.resolve("written.json");
        JmhResults.write(file, measurements);
        assertEquals(measurements, JmhResults.read(file));
    }

    @Test
    void takesTheBytesThatABenchmarkHasCounted() throws IOException {
        List<Measurement> results = read("results",
                entry("a.B.run", "\"bytes\": \"100\"", "[1.0]",
                        "\"bytes\": {\"score\": 400.0, \"rawData\": [[400.0, 400.0]]}"),
                entry("a.C.run", "\"bytes\": \"100\"", "[1.0]", ""));
        assertEquals(List.of(OptionalDouble.of(400), OptionalDouble.empty()),
                results.stream().map(Measurement::bytes).toList());
        assertEquals(400e3, results.getFirst().bytesPerSecond().orElseThrow(), 1e-6);
    }

    @Test
    void refusesWhatJmhDoesNotWrite() throws IOException {
        Path file = folder.resolve("wrong.json");
        for (String text : List.of("{}", "[{}]", "[1", "[null]", "[{\"benchmark\": \"a.B.c\"}]",
                "[{\"benchmark\": \"a.B.c\", \"primaryMetric\": {\"scoreUnit\": \"ms/op\"}}]",
                "[" + entry("a.B.c", "", "[\"x\"]", "") + "]", "[" + entry("a.B.c", "", "[null]", "") + "]")) {
            Files.writeString(file, text);
            IOException wrong = assertThrows(IOException.class, () -> JmhResults.read(file), text);
            assertTrue(String.valueOf(wrong.getMessage()).contains("wrong.json"), wrong::toString);
        }
    }
}
