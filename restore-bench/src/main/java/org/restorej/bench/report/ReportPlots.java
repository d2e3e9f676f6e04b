package org.restorej.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jfree.chart.axis.ValueAxis;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.cli.plot.Chart;

/**
 * The plots of a report: times of what ranks do over numbers of ranks and bytes, the library's beside the rivals'.
 * Error bars are quartiles.
 *
 * @param measurements everything that was measured
 */
public record ReportPlots(List<Measurement> measurements) {
    private static final String FOLDER = "plots";
    private static final String RANKS = "pes";
    private static final String BYTES = "bytes";

    /** Copies. */
    public ReportPlots {
        measurements = List.copyOf(measurements);
    }

    /**
     * Draws them, as SVG.
     *
     * @param folder they go to a folder {@code plots} in it
     * @return what was drawn
     */
    public List<MarkdownReport.Plot> write(Path folder) throws IOException {
        Files.createDirectories(folder.resolve(FOLDER));
        List<MarkdownReport.Plot> plots = new ArrayList<>();
        draw(folder, RANKS, "ranks", plots);
        draw(folder, BYTES, "bytes a rank", plots);
        return plots;
    }

    /** A chart for each benchmark that was measured with several values of a parameter, with a line for each method. */
    private void draw(Path folder, String param, String label, List<MarkdownReport.Plot> plots) throws IOException {
        Map<BenchmarkKey, Map<String, List<Measurement>>> charts = measurements.stream()
                .filter(each -> each.key().params().containsKey(RANKS) && value(param, each) > 0)
                .collect(Collectors.groupingBy(each -> each.key().without(param).without(BenchmarkKey.METHOD),
                        LinkedHashMap::new, Collectors.groupingBy(each -> each.key().param(BenchmarkKey.METHOD),
                                LinkedHashMap::new, Collectors.toList())));
        for (Map.Entry<BenchmarkKey, Map<String, List<Measurement>>> each : charts.entrySet()) {
            String title = title(each.getKey(), label);
            ValueAxis across = param.equals(BYTES)
                    ? Chart.log(label, bytes -> Quantity.bytes(Math.round(bytes)))
                    : Chart.log(label);
            Chart chart = new Chart(title, across, Chart.log("time (ms)"));
            Map<String, List<Measurement>> lines = new LinkedHashMap<>(each.getValue());
            lines.values().removeIf(points -> points.size() < 2);
            if (!lines.isEmpty()) {
                lines.forEach((method, points) -> chart.add(method.isEmpty() ? each.getKey().shortName() : method,
                        points(param, points)));
                String file = FOLDER + "/" + title.replaceAll("[^A-Za-z0-9]+", "-") + ".svg";
                chart.picture().write(folder.resolve(file));
                plots.add(new MarkdownReport.Plot(title, file));
            }
        }
    }

    private static double value(String param, Measurement measurement) {
        String value = measurement.key().param(param);
        return value.isEmpty() ? 0 : Double.parseDouble(value);
    }

    private String title(BenchmarkKey key, String over) {
        SortedMap<String, String> telling = new TreeMap<>(key.params());
        // Parameters that have other values elsewhere.
        telling.keySet().removeIf(param -> measurements.stream().map(Measurement::key)
                .filter(each -> each.benchmark().equals(key.benchmark()))
                .allMatch(each -> each.param(param).equals(key.param(param))));
        String rest = ParamText.list(telling);
        return key.shortName() + " over " + over + (rest.isEmpty() ? "" : ": " + rest);
    }

    private static List<Chart.Point> points(String param, List<Measurement> measurements) {
        return measurements.stream()
                .map(each -> new Chart.Point(value(param, each), each.median() * 1e3, each.lowerQuartile() * 1e3,
                        each.upperQuartile() * 1e3))
                .sorted(Comparator.comparingDouble(Chart.Point::x)).toList();
    }
}
