package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Comparison;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.RivalRatio;

/**
 * A report in Markdown. Pure.
 *
 * @param facts machine, versions, command
 * @param measurements everything that was measured
 * @param comparison with older results, if wanted
 * @param leftOut what could not be measured, and why
 * @param plots of pictures, relative to the report
 */
public record MarkdownReport(MachineFacts facts, List<Measurement> measurements, Optional<Comparison> comparison,
        List<String> leftOut, List<Plot> plots) {
    /**
     * A picture.
     *
     * @param title what it shows
     * @param file where it is, relative to the report, without the ending of its format
     */
    public record Plot(String title, String file) {}

    /** Copies. */
    public MarkdownReport {
        measurements = List.copyOf(measurements);
        leftOut = List.copyOf(leftOut);
        plots = List.copyOf(plots);
    }

    /** The report as Markdown. */
    public String text() {
        StringBuilder text = new StringBuilder("# Benchmarks of ReStore for Java\n\n");
        MarkdownTable head = new MarkdownTable(List.of("", ""));
        facts.values().forEach((name, value) -> head.add(List.of(name, value)));
        text.append(head).append('\n');
        leftOut.forEach(what -> text.append("**Not measured**: ").append(what).append("\n\n"));
        text.append(
                """
                        Times are medians; in brackets the lower and the upper quartile; n is how often it was measured.
                        Of what several ranks do together a time is from a barrier until all of them are done, taken by
                        rank 0, another barrier included (`Barrier` is the price of that). Before it is measured an
                        operation is called some 60 times, and until the JVM's compilers are idle, but not for more than
                        seconds; JVMs go on from one measurement to the next. What was moved is checked before and after.

                        `JobLife` and `FileLife` are jobs one after the other in which nothing is warmed up, and the
                        operations take turns: the first call, calls 2 to 20 and the later ones are told apart, and
                        `jvm` tells how the ranks' JVMs were started. `fromMain` is the time from the first line of
                        `main` until all ranks have built the store. `recovery` is a first recovery as a whole: a
                        communicator of the survivors, `recover`, and the pull of a failed rank's share; beside it the
                        MPI calls that this takes, and the first pull of C++ ReStore. Of files one rank's are lost with
                        XOR, PARTNER and RS1, two and three ranks' with RS2 and RS3 (Reed-Solomon with so many
                        checksums); all ranks are one set.

                        `BackgroundLife` is what an application notices of a submit, the time inside of its calls: of one
                        that blocks, of one in the background that is asked after between iterations of 1 ms, which
                        compute or sleep, and of the same bytes by plain messages in the background (`wire`). The last
                        rank comes `lateMillis` late.

                        `plain Java` is a program of one class without the library, in straight loops, started with the
                        JDK's defaults and without an AOT cache: what lies between it and the library is the library's own.
                        `DatasetsLife` is the protection by XOR of a checkpoint in 1 and in 20 files a rank, which replaces
                        the one before; beside it redset's `apply` of as many files. `LoopLife` is what a program pays: the
                        mean time of an iteration that computes for 10 ms and reduces a number, without checkpoints, with
                        one in memory each second, and with one in files (XOR) each 10 s besides.

                        """);
        comparison.ifPresent(each -> text.append(comparisonText(each)));
        text.append(Goals.text(Goals.ALL, measurements));
        if (!plots.isEmpty()) {
            text.append("## Plots\n\n");
            plots.forEach(plot -> text.append("![").append(plot.title()).append("](").append(plot.file())
                    .append(".svg)\n\n"));
        }
        text.append(
                """
                        ## All measurements

                        In a column `by RIVAL`: by what our time is longer than that of the rival, with the same parameters in the
                        same run; below 1 we are faster. `wire` is the raw MPI baseline: the same bytes between the same ranks by plain
                        non-blocking messages between two big buffers.

                        """);
        MeasurementGroup.of(measurements).forEach(group -> text.append(table(group)));
        return text.toString().stripTrailing() + "\n";
    }

    /** A row for each measurement, a column for each parameter that varies, each counter and each rival. */
    private static String table(MeasurementGroup group) {
        List<String> variables = group.variables();
        List<String> counters = group.counters();
        List<RivalRatio> ratios = RivalRatio.among(group.sorted());
        List<String> rivals = ratios.stream().map(each -> each.rival().key().param(BenchmarkKey.METHOD)).distinct()
                .toList();
        List<String> head = new ArrayList<>(variables);
        head.addAll(List.of("median", "quartiles", "least", "n", "rate"));
        head.addAll(counters);
        rivals.forEach(rival -> head.add("by " + rival));
        MarkdownTable table = new MarkdownTable(head);
        for (Measurement measurement : group.sorted()) {
            List<String> cells = new ArrayList<>();
            variables.forEach(param -> cells.add(ParamText.value(param, measurement.key().param(param))));
            cells.add(Quantity.time(measurement.medianSeconds()));
            cells.add(quartiles(measurement));
            cells.add(Quantity.time(measurement.least() * measurement.secondsPerUnit()));
            cells.add(Integer.toString(measurement.samples().size()));
            cells.add(measurement.bytesPerSecond().isPresent()
                    ? Quantity.rate(measurement.bytesPerSecond().getAsDouble())
                    : "");
            counters.forEach(counter -> cells.add(measurement.counters().containsKey(counter)
                    ? Quantity.mebibytes(measurement.counters().get(counter))
                    : ""));
            rivals.forEach(rival -> cells.add(ratios.stream().filter(each -> each.ours().equals(measurement)
                    && each.rival().key().param(BenchmarkKey.METHOD).equals(rival)).findFirst()
                    .map(each -> Quantity.digits(each.ratio())).orElse("")));
            table.add(cells);
        }
        String constants = ParamText.list(group.constants());
        return "### " + group.name() + "\n\n" + (constants.isEmpty() ? "" : "With " + constants + ".\n\n") + table
                + "\n";
    }

    private static String quartiles(Measurement measurement) {
        double seconds = measurement.secondsPerUnit();
        return "[" + Quantity.time(measurement.lowerQuartile() * seconds) + ", "
                + Quantity.time(measurement.upperQuartile() * seconds) + "]";
    }

    private static String comparisonText(Comparison comparison) {
        StringBuilder text = new StringBuilder("## Against older results\n\n");
        text.append(
                "Slower or faster beyond the spread: the middle halves of the times don't overlap, and the medians "
                        + "differ\nby more than " + Math.round(100 * Comparison.TOLERANCE) + " %.\n\n");
        MarkdownTable table = new MarkdownTable(List.of("benchmark", "before", "now", "ratio", "verdict"));
        List<Comparison.Row> changed = comparison.rows().stream()
                .filter(row -> row.verdict() != Comparison.Verdict.SAME).toList();
        changed.forEach(row -> table.add(row(row)));
        if (!changed.isEmpty()) {
            text.append(table).append('\n');
        }
        text.append(comparison.rows().size() - changed.size()).append(" of ").append(comparison.rows().size())
                .append(" are the same within the spread.\n\n");
        Stream.concat(comparison.onlyBefore().stream().map(key -> "Measured only before: " + key),
                comparison.onlyNow().stream().map(key -> "Measured only now: " + key))
                .forEach(line -> text.append("- ").append(line).append('\n'));
        return text.append(comparison.onlyBefore().isEmpty() && comparison.onlyNow().isEmpty() ? "" : "\n").toString();
    }

    /** Cells for what has changed. */
    static List<String> row(Comparison.Row row) {
        return List.of(row.now().key().toString(), Quantity.time(row.before().medianSeconds()),
                Quantity.time(row.now().medianSeconds()), Quantity.digits(row.ratio()),
                row.verdict().name().toLowerCase(Locale.ROOT));
    }

    /** What became slower, a line for each, for a terminal. */
    public static List<String> slowerLines(Comparison comparison) {
        return comparison.slower().stream().map(row -> String.join("  ", row(row))).toList();
    }
}
