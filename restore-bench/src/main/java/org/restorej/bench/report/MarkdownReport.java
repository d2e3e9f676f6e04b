package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Comparison;
import org.restorej.bench.result.Measurement;

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
    /** By benchmark, then by the values of parameters, the library before rivals. */
    private static final Comparator<Measurement> ORDER = (a, b) -> {
        int byName = a.key().shortName().compareTo(b.key().shortName());
        if (byName != 0) {
            return byName;
        }
        for (String param : a.key().without(BenchmarkKey.METHOD).params().keySet()) {
            int difference = ParamText.compare(a.key().param(param), b.key().param(param));
            if (difference != 0) {
                return difference;
            }
        }
        return Boolean.compare(isRival(a), isRival(b));
    };

    /**
     * A picture.
     *
     * @param title what it shows
     * @param file where it is, relative to the report
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
        text.append(table(List.of("", ""), facts.values().entrySet().stream()
                .map(each -> List.of(each.getKey(), each.getValue())).toList()));
        leftOut.forEach(what -> text.append("**Not measured**: ").append(what).append("\n\n"));
        text.append("What each benchmark does, and how it is measured, is in docs/performance.md.\n\n");
        comparison.ifPresent(each -> text.append(comparisonText(each)));
        text.append(goals(Goal.ALL, measurements));
        if (!plots.isEmpty()) {
            text.append("## Plots\n\n");
            plots.forEach(plot -> text.append("![").append(plot.title()).append("](").append(plot.file())
                    .append(")\n\n"));
        }
        text.append("""
                ## All measurements

                Times are medians; in brackets the lower and the upper quartile; n is how often it was measured. Ratios
                are those of our time to a rival's, with the same parameters in the same run: below 1 we are faster.

                """);
        text.append(table(List.of("", "with", "median", "quartiles", "n", "rate", "ratios"),
                measurements.stream().sorted(ORDER).map(this::row).toList()));
        return text.toString().stripTrailing() + "\n";
    }

    private static boolean isRival(Measurement measurement) {
        return !measurement.key().param(BenchmarkKey.METHOD).equals(BenchmarkKey.OURS);
    }

    private List<String> row(Measurement measurement) {
        String ratios = measurements.stream().filter(each -> each.key().isRivalOf(measurement.key()))
                .map(each -> each.key().param(BenchmarkKey.METHOD) + " "
                        + Quantity.digits(measurement.median() / each.median()))
                .collect(Collectors.joining(", "));
        return List.of(measurement.key().shortName(), ParamText.list(measurement.key().params()),
                Quantity.time(measurement.median()),
                "[" + Quantity.time(measurement.lowerQuartile()) + ", " + Quantity.time(measurement.upperQuartile())
                        + "]",
                Integer.toString(measurement.samples().size()),
                measurement.bytesPerSecond().isPresent()
                        ? Quantity.rate(measurement.bytesPerSecond().getAsDouble())
                        : "",
                ratios);
    }

    /** The section on goals: a row for each that measurements tell of; nothing when none do. */
    static String goals(List<Goal> goals, List<Measurement> measurements) {
        List<List<String>> rows = new ArrayList<>();
        for (Goal goal : goals) {
            measurements.stream().filter(each -> goal.isFor(each.key()))
                    .forEach(ours -> goal.beside(ours, measurements)
                            .ifPresent(rival -> rows.add(row(goal, ours, rival))));
        }
        return rows.isEmpty()
                ? ""
                : "## Goals\n\nBeside what was measured in the same run.\n\n" + table(
                        List.of("", "at", "measured", "beside", "", "ratio", "at most", "reached"), rows);
    }

    private static List<String> row(Goal goal, Measurement ours, Measurement rival) {
        SortedMap<String, String> at = new TreeMap<>(ours.key().without(BenchmarkKey.METHOD).params());
        double ratio = ours.median() / rival.median();
        return List.of(goal.benchmark(), ParamText.list(at), Quantity.time(ours.median()), goal.rival(),
                Quantity.time(rival.median()), Quantity.digits(ratio), Quantity.digits(goal.most()),
                ratio <= goal.most() ? "yes" : "no");
    }

    private static String comparisonText(Comparison comparison) {
        StringBuilder text = new StringBuilder("## Against older results\n\n");
        text.append(
                "Slower or faster beyond the spread: the middle halves of the times don't overlap, and the medians "
                        + "differ\nby more than " + Math.round(100 * Comparison.TOLERANCE) + " %.\n\n");
        List<Comparison.Row> changed = comparison.rows().stream()
                .filter(row -> row.verdict() != Comparison.Verdict.SAME).toList();
        if (!changed.isEmpty()) {
            text.append(table(List.of("benchmark", "before", "now", "ratio", "verdict"),
                    changed.stream().map(MarkdownReport::row).toList()));
        }
        text.append(comparison.rows().size() - changed.size()).append(" of ").append(comparison.rows().size())
                .append(" are the same within the spread.\n\n");
        String once = Stream.concat(comparison.onlyBefore().stream().map(key -> "- Measured only before: " + key),
                comparison.onlyNow().stream().map(key -> "- Measured only now: " + key))
                .collect(Collectors.joining("\n"));
        return text.append(once).append(once.isEmpty() ? "" : "\n\n").toString();
    }

    private static List<String> row(Comparison.Row row) {
        return List.of(row.now().key().toString(), Quantity.time(row.before().median()),
                Quantity.time(row.now().median()), Quantity.digits(row.ratio()),
                row.verdict().name().toLowerCase(Locale.ROOT));
    }

    /** What became slower, a line for each, for a terminal. */
    public static List<String> slowerLines(Comparison comparison) {
        return comparison.slower().stream().map(row -> String.join("  ", row(row))).toList();
    }

    private static String table(List<String> head, List<List<String>> rows) {
        return Stream.concat(Stream.of(head, head.stream().map(_ -> "---").toList()), rows.stream())
                .map(cells -> cells.stream().map(cell -> cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining("", "", "\n"));
    }
}
