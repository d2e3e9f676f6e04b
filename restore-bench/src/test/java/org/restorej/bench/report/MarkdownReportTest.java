package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Comparison;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class MarkdownReportTest {
    @TempDir
    private Path folder = Path.of("");

    private static MachineFacts facts() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("processor", "One | Two");
        return new MachineFacts(values).with("command", "bin/bench --full");
    }

    private static BenchmarkKey submit(long bytes, String method) {
        return Samples.key("SubmitBenchmark.run", "bytes", Long.toString(bytes), "pes", "4", "method", method);
    }

    private static List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        for (long bytes = 1 << 20; bytes <= 8 << 20; bytes *= 2) {
            all.add(Samples.of(submit(bytes, "restore"), 3e-6 * bytes, 3e-6 * bytes, 3e-6 * bytes));
            all.add(Samples.of(submit(bytes, "wire"), 2e-6 * bytes));
        }
        return all;
    }

    @Test
    void tellsMachineTimesAndRatios() {
        String text = new MarkdownReport(facts(), measurements(), Optional.empty(), List.of(), List.of()).text();
        assertTrue(text.contains("| processor | One \\| Two       |\n| command   | bin/bench --full |\n"), text);
        assertTrue(text.contains("""
                ### Submit

                With pes 4.

                | bytes | method  | median  | quartiles          | least   | n   | rate      | by wire |
                | ----- | ------- | ------- | ------------------ | ------- | --- | --------- | ------- |
                | 1 MiB | restore | 3.15 ms | [3.15 ms, 3.15 ms] | 3.15 ms | 3   | 333 MB/s  | 1.50    |
                | 1 MiB | wire    | 2.10 ms | [2.10 ms, 2.10 ms] | 2.10 ms | 1   | 500 MB/s  |         |
                """), text);
        assertFalse(text.contains("older results"), text);
    }

    @Test
    void tellsWhatChangedAndWhatWasLeftOut() {
        List<Measurement> before = List.of(Samples.of(submit(1 << 20, "restore"), 1, 1, 1),
                Samples.of(submit(1, "gone"), 1));
        MarkdownReport report = new MarkdownReport(facts(), measurements(),
                Optional.of(Comparison.of(before, measurements())), List.of("no MPI"), List.of());
        String text = report.text();
        assertTrue(text.contains("**Not measured**: no MPI"), text);
        assertTrue(text.contains("slower"), text);
        assertTrue(text.contains("- Measured only before: Submit (bytes=1, method=gone, pes=4)"), text);
        assertEquals(1, MarkdownReport.slowerLines(report.comparison().orElseThrow()).size());
    }

    @Test
    void drawsTimesInBothFormats() throws IOException {
        List<MarkdownReport.Plot> plots = new ReportPlots(measurements()).write(folder);
        assertEquals(List.of("Submit over bytes a PE"),
                plots.stream().map(MarkdownReport.Plot::title).toList());
        for (MarkdownReport.Plot plot : plots) {
            assertTrue(Files.size(folder.resolve(plot.file() + ".svg")) > 1000, plot::toString);
            assertTrue(Files.size(folder.resolve(plot.file() + ".png")) > 1000, plot::toString);
        }
        String text = new MarkdownReport(facts(), measurements(), Optional.empty(), List.of(), plots).text();
        assertTrue(text.contains("![Submit over bytes a PE](plots/submit-over-bytes-a-pe.svg)"), text);
    }

    @Test
    void numbersHaveThreeDigits() {
        assertEquals("23.4 ms", Quantity.time(0.02341));
        assertEquals("1.00 s", Quantity.time(1));
        assertEquals("512 ns", Quantity.time(512e-9));
        assertEquals("-3.00 µs", Quantity.time(-3e-6));
        assertEquals("0.00 s", Quantity.time(0));
        assertEquals("0.00 s", Quantity.time(-1e-16));
        assertEquals("2.67 GB/s", Quantity.rate(2.671e9));
        assertEquals("16 MiB", Quantity.bytes(16 << 20));
        assertEquals("1000 B", Quantity.bytes(1000));
    }
}
