package org.restorej.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JmhResultsTest {
    @TempDir
    private Path folder = Path.of("");

    private static String entry(String benchmark, String params, String raw, String secondary) {
        return """
                {"jmhVersion": "1.37", "benchmark": "%s", "mode": "ss", "threads": 1, "forks": 0, "params": {%s},
                 "primaryMetric": {"score": 1.0, "scoreError": 0.5, "scoreConfidence": [0.5, 1.5],
                   "scorePercentiles": {"50.0": 1.0}, "scoreUnit": "ms/op", "rawData": [%s]},
                 "secondaryMetrics": {%s}}
                """.formatted(benchmark, params, raw, secondary);
    }

    private JmhResults read(String name, String... entries) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "[" + String.join(",", entries) + "]");
        return JmhResults.read(file);
    }

    @Test
    void keepsEntriesThatDifferAndPutsTogetherThoseThatDoNot() throws IOException {
        JmhResults first = read("first", entry("a.B.run", "\"pes\": \"4\"", "[1.0, 2.0]", ""),
                entry("a.B.run", "\"pes\": \"8\"", "[5.0]", ""));
        JmhResults second = read("second", entry("a.B.run", "\"pes\": \"4\"", "[3.0, 6.0]", ""));
        Path merged = folder.resolve("merged");
        JmhResults.merge(List.of(first, second)).write(merged);
        List<Measurement> measurements = JmhResults.read(merged).measurements();
        assertEquals(2, measurements.size());
        assertEquals(List.of(1.0, 2.0, 3.0, 6.0), measurements.getFirst().samples());
        assertEquals("4", measurements.getFirst().key().param("pes"));
        assertEquals(List.of(5.0), measurements.getLast().samples());
        JsonNode together = new ObjectMapper().readTree(merged.toFile()).get(0);
        assertEquals(2, together.get("forks").asInt());
        assertEquals(3.0, together.get("primaryMetric").get("score").asDouble());
        assertEquals("1.37", together.get("jmhVersion").asText());
    }

    @Test
    void takesTheBytesThatABenchmarkHasCountedOrItsParameter() throws IOException {
        JmhResults results = read("results",
                entry("a.B.run", "\"bytes\": \"100\"", "[1.0]",
                        "\"bytes\": {\"score\": 400.0, \"rawData\": [[400.0, 400.0]]}"),
                entry("a.C.run", "\"bytes\": \"100\"", "[1.0]", ""), entry("a.D.run", "", "[1.0]", ""));
        assertEquals(List.of(OptionalDouble.of(400), OptionalDouble.of(100), OptionalDouble.empty()),
                results.measurements().stream().map(Measurement::bytes).toList());
        assertEquals(400e3, results.measurements().getFirst().bytesPerSecond().orElseThrow(), 1e-6);
    }

    @Test
    void takesTheLargestOfWhatSeveralRunsHaveCounted() throws IOException {
        String counted = "\"memoryBytes\": {\"score\": 1.0, \"rawData\": [[%s]]}";
        JmhResults merged = JmhResults
                .merge(List.of(read("first", entry("a.B.run", "", "[1.0]", counted.formatted("7.0"))),
                        read("second", entry("a.B.run", "", "[2.0]", counted.formatted("9.0"))),
                        read("third", entry("a.B.run", "", "[3.0]", counted.formatted("8.0")))));
        assertEquals(Map.of("memoryBytes", 9.0), merged.measurements().getFirst().counters());
    }

    @Test
    void refusesWhatJmhDoesNotWrite() throws IOException {
        Path file = folder.resolve("wrong.json");
        for (String text : List.of("{}", "[{}]", "[1", "[{\"benchmark\": \"a.B.c\"}]")) {
            Files.writeString(file, text);
            IOException wrong = assertThrows(IOException.class, () -> JmhResults.read(file), text);
            assertTrue(String.valueOf(wrong.getMessage()).contains("wrong.json"), wrong::toString);
        }
    }
}
