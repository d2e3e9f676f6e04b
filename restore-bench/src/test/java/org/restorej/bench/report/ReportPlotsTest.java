package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;
import org.restorej.cli.testing.SvgText;

class ReportPlotsTest {
    /** Of lines for goals. */
    private static final String DASHES = "7,5";

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void needsFonts() {
        SvgText.requireFonts();
    }

    private static BenchmarkKey store(String benchmark, String pes, String method) {
        return Samples.key(benchmark + "Benchmark.run", "bytes", "16777216", "blockBytes", "64", "replication", "4",
                "permutationRangeBytes", "262144", "pes", pes, "method", method);
    }

    /** Of 2, 4 and 8 PEs. */
    private static List<Measurement> submits(String param, String value) {
        List<Measurement> all = new ArrayList<>();
        for (int pes = 2; pes <= 8; pes *= 2) {
            BenchmarkKey key = store("Submit", Integer.toString(pes), "restore").with(param, value);
            all.add(Samples.of(key, 10 * pes));
            all.add(Samples.of(key.with(BenchmarkKey.METHOD, "wire"), 8 * pes));
        }
        return all;
    }

    private SvgText drawn(String title, List<Measurement> measurements) throws IOException {
        List<MarkdownReport.Plot> plots = new ReportPlots(measurements).write(folder);
        MarkdownReport.Plot plot = plots.stream().filter(each -> each.title().equals(title)).findFirst()
                .orElseThrow(() -> new AssertionError(plots));
        SvgText svg = SvgText.of(folder.resolve(plot.file() + ".svg"));
        svg.assertReadable();
        return svg;
    }

    @Test
    void labelsWhatWasMeasuredAndDrawsTheGoal() throws IOException {
        SvgText svg = drawn("Submit over PEs", submits("blockBytes", "64"));
        assertEquals(List.of("time (ms) over PEs: restore, wire, goal: 1.30 times wire"), svg.all("desc"));
        assertTrue(svg.all("text").containsAll(List.of("2", "4", "8", "16", "32", "64")), svg.all("text")::toString);
        // One of them is the legend's.
        assertTrue(svg.linesIn(DASHES) > 1);
    }

    @Test
    void drawsAGoalOnlyWhereItIsOne() throws IOException {
        for (SvgText svg : List.of(drawn("Submit over PEs", submits("blockBytes", "16")),
                drawn("Submit over PEs", submits("bytes", "65536")))) {
            assertEquals(List.of("time (ms) over PEs: restore, wire"), svg.all("desc"));
            assertEquals(0, svg.linesIn(DASHES));
        }
        List<Measurement> ranges = new ArrayList<>(submits("blockBytes", "64").subList(0, 2));
        for (String range : List.of("4096", "2097152")) {
            ranges.add(Samples.of(store("Submit", "2", "restore").with("permutationRangeBytes", range), 30));
        }
        SvgText svg = drawn("Submit over bytes of a permutation range", ranges);
        assertTrue(svg.all("text").containsAll(List.of("4 KiB", "256 KiB", "2 MiB")), svg.all("text")::toString);
        assertTrue(svg.all("desc").getFirst().endsWith("goal: 1.30 times wire"), svg.all("desc")::toString);
    }

    @Test
    void drawsTheGoalsOfPulls() throws IOException {
        List<Measurement> all = new ArrayList<>();
        for (String pes : List.of("2", "4", "8")) {
            for (String pattern : List.of("ALL", "SHARE")) {
                all.add(Samples.of(store("Pull", pes, "restore").with("pattern", pattern), 4));
                all.add(Samples.of(store("Pull", pes, "wire").with("pattern", pattern), 3));
            }
        }
        assertTrue(drawn("Pull over PEs: pattern ALL", all).all("desc").getFirst()
                .endsWith("wire, goal: 2.00 times wire"));
        assertTrue(drawn("Pull over PEs: pattern SHARE", all).all("desc").getFirst().endsWith("wire"));
    }
}
