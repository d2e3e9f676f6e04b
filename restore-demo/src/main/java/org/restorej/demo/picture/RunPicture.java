package org.restorej.demo.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.util.ShapeUtils;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.restorej.cli.plot.Chart;
import org.restorej.cli.plot.Picture;
import org.restorej.demo.run.Activity;
import org.restorej.demo.run.RunTrace;

/** Draws a run: what was recovered from, a lane for each PE, and below how far the computation had come. */
public final class RunPicture {
    /** More can't be told apart; failed PEs come before others. */
    static final int MAX_LANES = 128;
    private static final int WIDTH = 960;
    private static final int HEIGHT = 760;
    private static final int SHARE_OF_LANES = 3;
    private static final double HALF_LANE = 0.38;
    private static final double RATIO_FOR_DECADES = 100;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Pale, as it fills most of the picture. */
    private static final Color COMPUTING = new Color(0xCFE3F1);
    private static final Color FAILURE = new Color(0x666666);
    private static final BasicStroke FAILURE_LINE = new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
            new float[]{3, 3}, 0);

    private final RunTrace trace;
    private final List<RunTrace.Lane> lanes;
    private final Map<Integer, Long> failedNanos = new HashMap<>();
    private final double nanosPerUnit;

    private RunPicture(RunTrace trace) {
        this.trace = trace;
        trace.failures().forEach(
                failure -> failure.originalRanks().forEach(rank -> failedNanos.put(rank, failure.nanos())));
        lanes = trace.lanes().stream()
                .sorted(Comparator.comparing((RunTrace.Lane lane) -> !failedNanos.containsKey(lane.originalRank())))
                .limit(MAX_LANES).sorted(Comparator.comparingInt(RunTrace.Lane::originalRank)).toList();
        nanosPerUnit = isInSeconds() ? NANOS_PER_SECOND : NANOS_PER_MILLI;
    }

    /**
     * The picture of a run. Needs fonts, see {@link Picture#requireFonts}.
     *
     * @param trace what happened
     * @param title what ran
     * @param valueName what the values are
     */
    public static Picture of(RunTrace trace, String title, String valueName) {
        return new RunPicture(trace).picture(title, valueName);
    }

    private boolean isInSeconds() {
        return trace.endNanos() >= 2 * NANOS_PER_SECOND;
    }

    private double time(long nanos) {
        return Math.clamp((double) nanos, 0, (double) trace.endNanos()) / nanosPerUnit;
    }

    private Picture picture(String title, String valueName) {
        ValueAxis time = Chart.linear(isInSeconds() ? "time (s)" : "time (ms)");
        // A run without anything in it ends after a unit.
        time.setRange(0, trace.endNanos() == 0 ? 1 : time(trace.endNanos()));
        CombinedDomainXYPlot plot = new CombinedDomainXYPlot(time);
        plot.add(lanePlot(), SHARE_OF_LANES);
        plot.add(valuePlot(valueName), 1);
        JFreeChart chart = new JFreeChart(title, Picture.TITLE, plot, true);
        List<String> notes = FailureNote.of(trace.failures());
        notes.forEach(note -> chart.addSubtitle(new TextTitle(note, new Font(Font.SANS_SERIF, Font.PLAIN, 12))));
        return new Picture(chart, trace.lanes().size() + " PEs over time: what each did, and the " + valueName + ". "
                + String.join("; ", notes), WIDTH, HEIGHT);
    }

    private static Color colour(Activity activity) {
        return activity == Activity.COMPUTE ? COMPUTING : Picture.COLOURS.get(switch (activity) {
            case NOTICE -> 4;
            case SHRINK -> 1;
            case PULL, COMPUTE -> 0;
            case TAKE_OVER -> 3;
            case REPLENISH -> 2;
        });
    }

    /** A bar for each span, in the lane of its PE, and a cross where the PE failed. */
    private XYPlot lanePlot() {
        Map<Activity, XYIntervalSeries> spans = new EnumMap<>(Activity.class);
        for (Activity activity : Activity.values()) {
            spans.put(activity, new XYIntervalSeries(activity.label(), false, true));
        }
        XYSeries failed = new XYSeries("failed", false);
        for (int number = 0; number < lanes.size(); number++) {
            int lane = number;
            lanes.get(lane).spans().forEach(span -> {
                XYIntervalSeries series = spans.get(span.activity());
                if (series != null) {
                    series.add(time(span.fromNanos()), time(span.fromNanos()), time(span.toNanos()), lane,
                            lane - HALF_LANE, lane + HALF_LANE);
                }
            });
            Long nanos = failedNanos.get(lanes.get(lane).originalRank());
            if (nanos != null) {
                failed.add(time(nanos), lane);
            }
        }
        SymbolAxis names = new SymbolAxis(null,
                lanes.stream().map(lane -> "PE " + lane.originalRank()).toArray(String[]::new));
        names.setGridBandsVisible(false);
        names.setInverted(true);
        XYPlot plot = new XYPlot(barsOf(spans), null, names, barRenderer());
        plot.setDataset(1, new XYSeriesCollection(failed));
        plot.setRenderer(1, crosses());
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        Picture.style(plot);
        plot.setRangeGridlinesVisible(false);
        markFailures(plot);
        return plot;
    }

    private static XYIntervalSeriesCollection barsOf(Map<Activity, XYIntervalSeries> spans) {
        XYIntervalSeriesCollection bars = new XYIntervalSeriesCollection();
        spans.values().forEach(bars::addSeries);
        return bars;
    }

    private static XYBarRenderer barRenderer() {
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setUseYInterval(true);
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(false);
        renderer.setBarPainter(new StandardXYBarPainter());
        int number = 0;
        for (Activity activity : Activity.values()) {
            renderer.setSeriesPaint(number++, colour(activity));
        }
        return renderer;
    }

    private static XYLineAndShapeRenderer crosses() {
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
        renderer.setSeriesShape(0, ShapeUtils.createDiagonalCross(4, 1));
        renderer.setSeriesPaint(0, Color.BLACK);
        return renderer;
    }

    private void markFailures(XYPlot plot) {
        trace.failures()
                .forEach(
                        failure -> plot.addDomainMarker(new ValueMarker(time(failure.nanos()), FAILURE, FAILURE_LINE)));
    }

    /** How far the computation had come: by ratios where values span more than two powers of ten, without zeros. */
    private XYPlot valuePlot(String name) {
        List<RunTrace.Value> all = trace.values().stream().filter(value -> Double.isFinite(value.value())).toList();
        List<RunTrace.Value> positive = all.stream().filter(value -> value.value() > 0).toList();
        double least = positive.stream().mapToDouble(RunTrace.Value::value).min().orElse(1);
        double most = positive.stream().mapToDouble(RunTrace.Value::value).max().orElse(1);
        boolean byRatios = all.stream().allMatch(value -> value.value() >= 0) && most / least > RATIO_FOR_DECADES;
        ValueAxis up = byRatios ? Chart.log(name) : Chart.linear(name);
        XYSeries series = new XYSeries(name, false);
        (byRatios ? positive : all).forEach(value -> series.add(time(value.nanos()), value.value()));
        XYLineAndShapeRenderer line = new XYLineAndShapeRenderer(true, false);
        line.setSeriesPaint(0, Picture.COLOURS.getFirst());
        line.setSeriesStroke(0, new BasicStroke(2));
        line.setSeriesVisibleInLegend(0, false);
        XYPlot plot = new XYPlot(new XYSeriesCollection(series), null, up, line);
        if (up instanceof LogAxis log) {
            log.setTickUnit(new NumberTickUnit(Math.ceil(Math.log10(most / least) / 5)));
        }
        Picture.style(plot);
        markFailures(plot);
        return plot;
    }
}
