package org.restorej.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jfree.chart.axis.ValueAxis;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.cli.plot.Chart;
import org.restorej.cli.plot.Picture;

/**
 * The plots of a report: times over numbers of PEs, bytes and permutation ranges, ours beside the rivals', with dashed
 * lines where there are goals. Error bars are quartiles.
 *
 * @param measurements everything that was measured
 */
public record ReportPlots(List<Measurement> measurements) {
    private static final String FOLDER = "plots";

    /** What is plotted over, with what is written at the axis. */
    private static final Map<String, String> AXES = axes();

    /** Copies. */
    public ReportPlots {
        measurements = List.copyOf(measurements);
    }

    private static Map<String, String> axes() {
        Map<String, String> axes = new LinkedHashMap<>();
        axes.put("pes", "PEs");
        axes.put("bytes", "bytes a PE");
        axes.put("permutationRangeBytes", "bytes of a permutation range");
        return axes;
    }

    /**
     * Draws them, as SVG and PNG.
     *
     * @param folder they go to a folder {@code plots} in it
     * @return what was drawn
     */
    public List<MarkdownReport.Plot> write(Path folder) throws IOException {
        Files.createDirectories(folder.resolve(FOLDER));
        List<MarkdownReport.Plot> plots = new ArrayList<>();
        for (String param : AXES.keySet()) {
            for (Map.Entry<String, List<Line>> chart : times(param).entrySet()) {
                plots.add(draw(folder, chart.getKey(), param, chart.getValue()));
            }
        }
        return plots;
    }

    /** A series of a chart. */
    private record Line(String name, Chart.Style style, List<Chart.Point> points) {}

    private static MarkdownReport.Plot draw(Path folder, String name, String param, List<Line> lines)
            throws IOException {
        ValueAxis across = param.toLowerCase(Locale.ROOT).endsWith("bytes")
                ? Chart.log(AXES.getOrDefault(param, param), bytes -> Quantity.bytes(Math.round(bytes)))
                : Chart.log(AXES.getOrDefault(param, param));
        Chart chart = new Chart(name, across, Chart.log("time (ms)"));
        lines.forEach(line -> chart.add(line.name(), line.style(), line.points()));
        Picture picture = chart.picture();
        String file = FOLDER + "/" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
        picture.write(folder.resolve(file + ".svg"));
        picture.write(folder.resolve(file + ".png"));
        return new MarkdownReport.Plot(name, file);
    }

    /** Charts by title: a series for each method, where there are at least two values. */
    private Map<String, List<Line>> times(String param) {
        Map<BenchmarkKey, List<Measurement>> charts = measurements.stream()
                .filter(each -> isPlotted(param, each))
                .collect(Collectors.groupingBy(each -> each.key().without(param).without(BenchmarkKey.METHOD),
                        LinkedHashMap::new, Collectors.toList()));
        Map<String, List<Line>> titled = new LinkedHashMap<>();
        charts.forEach((key, members) -> {
            List<Line> series = new ArrayList<>();
            members.stream().collect(Collectors.groupingBy(each -> each.key().param(BenchmarkKey.METHOD),
                    LinkedHashMap::new, Collectors.toList())).forEach((method, points) -> {
                        if (points.size() > 1) {
                            series.add(series(method.isEmpty() ? key.shortName() : method, param, points));
                        }
                    });
            if (!series.isEmpty()) {
                series.addAll(goals(param, members));
                titled.put(title(key, param), series);
            }
        });
        return titled;
    }

    /** The longest times that goals allow, where there are goals. */
    private List<Line> goals(String param, List<Measurement> members) {
        List<Line> lines = new ArrayList<>();
        for (Goal goal : Goals.ALL) {
            SortedMap<Double, Double> millis = new TreeMap<>();
            members.stream().filter(ours -> goal.quantity().equals(Goal.TIME) && goal.isFor(ours.key()))
                    .forEach(ours -> goal.reference(ours, measurements).ifPresent(
                            reference -> millis.put(value(param, ours), goal.most() * reference * 1e3)));
            addLine(lines, goal.legend(), millis);
        }
        return lines;
    }

    private static void addLine(List<Line> lines, String name, SortedMap<Double, Double> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(name, Chart.Style.DASHED, points.entrySet().stream()
                    .map(each -> new Chart.Point(each.getKey(), each.getValue())).toList()));
        }
    }

    /** Only what ranks do: of one JVM there are tables. */
    private static boolean isPlotted(String param, Measurement measurement) {
        return measurement.key().params().containsKey("pes") && !measurement.key().param(param).isEmpty()
                && value(param, measurement) > 0;
    }

    private String title(BenchmarkKey key, String param) {
        String rest = ParamText.list(telling(key));
        return key.shortName() + " over " + AXES.getOrDefault(param, param) + (rest.isEmpty() ? "" : ": " + rest);
    }

    /** Parameters that have other values elsewhere. */
    private SortedMap<String, String> telling(BenchmarkKey key) {
        SortedMap<String, String> telling = new TreeMap<>(key.params());
        telling.keySet().removeIf(param -> measurements.stream().map(Measurement::key)
                .filter(each -> each.benchmark().equals(key.benchmark()))
                .allMatch(each -> each.param(param).equals(key.param(param))));
        return telling;
    }

    private static double value(String param, Measurement measurement) {
        return Double.parseDouble(measurement.key().param(param));
    }

    private static Line series(String name, String param, List<Measurement> points) {
        List<Chart.Point> sorted = points.stream().map(each -> {
            double millis = each.secondsPerUnit() * 1e3;
            return new Chart.Point(value(param, each), each.median() * millis, each.lowerQuartile() * millis,
                    each.upperQuartile() * millis);
        }).sorted((a, b) -> Double.compare(a.x(), b.x())).toList();
        return new Line(name, Chart.Style.LINE, sorted);
    }
}
