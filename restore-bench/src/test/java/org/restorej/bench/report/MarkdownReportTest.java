package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Comparison;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;
import org.restorej.cli.testing.SvgText;

class MarkdownReportTest {
    @TempDir
    private Path folder = Path.of("");

    private static MachineFacts facts() {
        return new MachineFacts(Map.of("processor", "One | Two")).with("command", "bin/bench --no-jvm");
    }

    private static BenchmarkKey submit(long bytes, String method) {
        return Samples.key("SubmitBenchmark.run", "bytes", Long.toString(bytes), "pes", "4", "method", method);
    }

    private static List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        for (long bytes = 8 << 20; bytes >= 1 << 20; bytes /= 2) {
            all.add(Samples.of(submit(bytes, "wire"), 2e-6 * bytes));
            all.add(Samples.of(submit(bytes, "restore"), 3e-6 * bytes, 3e-6 * bytes, 3e-6 * bytes));
        }
        return all;
    }

    @Test
    void tellsMachineTimesAndRatios() {
        String text = new MarkdownReport(facts(), measurements(), Optional.empty(), List.of(), List.of()).text();
        assertTrue(text.contains("| processor | One \\| Two |\n| command | bin/bench --no-jvm |\n"), text);
        assertTrue(text.contains(
                """
                        |  | with | median | quartiles | n | rate | ratios |
                        | --- | --- | --- | --- | --- | --- | --- |
                        | Submit | bytes 1 MiB, method restore, pes 4 | 3.15 ms | [3.15 ms, 3.15 ms] | 3 | 333 MB/s | wire 1.50 |
                        | Submit | bytes 1 MiB, method wire, pes 4 | 2.10 ms | [2.10 ms, 2.10 ms] | 1 | 500 MB/s |  |
                        | Submit | bytes 2 MiB, method restore, pes 4 |"""),
                text);
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
    void drawsTimesOverRanksAndBytes() throws IOException {
        SvgText.requireFonts();
        List<Measurement> all = new ArrayList<>(measurements());
        all.add(Samples.of(submit(1 << 20, "restore").with("pes", "2"), 1));
        List<MarkdownReport.Plot> plots = new ReportPlots(all).write(folder);
        assertEquals(List.of("Submit over ranks: bytes 1 MiB", "Submit over bytes a rank: pes 4"),
                plots.stream().map(MarkdownReport.Plot::title).toList());
        SvgText svg = SvgText.of(folder.resolve(plots.getLast().file()));
        svg.assertReadable();
        assertEquals(List.of("time (ms) over bytes a rank: wire, restore"), svg.all("desc"));
        assertTrue(svg.all("text").containsAll(List.of("1 MiB", "8 MiB")), svg.all("text")::toString);
        String text = new MarkdownReport(facts(), all, Optional.empty(), List.of(), plots).text();
        assertTrue(text.contains("![Submit over bytes a rank: pes 4](plots/Submit-over-bytes-a-rank-pes-4.svg)"), text);
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
