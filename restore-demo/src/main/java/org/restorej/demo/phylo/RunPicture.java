package org.restorej.demo.phylo;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jfree.chart.JFreeChart;
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
import org.restorej.demo.phylo.run.RecoverySummary;
import org.restorej.demo.phylo.run.RunTrace;
import org.restorej.loop.Recovery.Phase;

/**
 * Draws a run: what was recovered from, a lane for each PE, and below how far the computation had come. Survivors
 * recover together: each phase is as long in all lanes as on the PE that took longest.
 */
final class RunPicture {
    /** More can't be told apart; failed PEs come before others. */
    static final int MAX_LANES = 128;
    private static final int WIDTH = 960;
    private static final int HEIGHT = 760;
    private static final int SHARE_OF_LANES = 3;
    private static final double HALF_LANE = 0.38;
    private static final String VALUE = "log-likelihood";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Pale, as it fills most of the picture. */
    private static final Color COMPUTING = new Color(0xCFE3F1);
    private static final Color FAILURE = new Color(0x666666);
    private static final BasicStroke FAILURE_LINE = new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
            new float[]{3, 3}, 0);

    private static final int MAX_NOTES = 8;
    private static final int MAX_NAMES = 6;

    /** What a PE does at a time; in a recovery one after the other. */
    private enum Activity {
        COMPUTE("computing"), NOTICE("noticing a failure"), SHRINK("shrinking"), PULL("pulling blocks"), TAKE_OVER(
                "taking over"), REPLENISH("replenishing");

        private final String label;

        Activity(String label) {
            this.label = label;
        }

        private Color colour() {
            return switch (this) {
                case COMPUTE -> COMPUTING;
                case NOTICE -> Picture.COLOURS.get(4);
                case SHRINK -> Picture.COLOURS.get(1);
                case PULL -> Picture.COLOURS.get(0);
                case TAKE_OVER -> Picture.COLOURS.get(3);
                case REPLENISH -> Picture.COLOURS.get(2);
            };
        }

        private long nanosIn(RecoverySummary recovery) {
            Long detection = recovery.detectionNanos();
            return switch (this) {
                case COMPUTE -> 0;
                case NOTICE -> detection == null ? 0 : detection;
                case SHRINK -> recovery.nanos(Phase.SHRINK, Phase.RECOVER);
                case PULL -> recovery.nanos(Phase.BALANCE, Phase.PULL);
                case TAKE_OVER -> recovery.nanos(Phase.TAKE_OVER);
                case REPLENISH -> recovery.nanos(Phase.REPLENISH);
            };
        }
    }

    private final RunTrace trace;
    /** The failed PEs over time. */
    private final Map<Integer, Long> failedNanos = new HashMap<>();
    /** Original ranks. */
    private final List<Integer> lanes;
    private final Map<Activity, XYIntervalSeries> spans = new EnumMap<>(Activity.class);
    private final double nanosPerUnit;

    private RunPicture(RunTrace trace) {
        this.trace = trace;
        trace.recoveries().forEach(
                recovery -> recovery.failedRanks().forEach(rank -> failedNanos.put(rank, recovery.failureNanos())));
        RunTrace.Loss loss = trace.loss();
        if (loss != null) {
            loss.failedRanks().forEach(rank -> failedNanos.put(rank, trace.endNanos()));
        }
        lanes = IntStream.range(0, trace.pes()).boxed()
                .sorted(Comparator.comparing((Integer rank) -> !failedNanos.containsKey(rank))).limit(MAX_LANES)
                .sorted().toList();
        nanosPerUnit = isInSeconds() ? NANOS_PER_SECOND : NANOS_PER_MILLI;
    }

    /**
     * The picture of a run. Needs fonts, see {@link Picture#requireFonts}.
     *
     * @param trace what happened
     * @param title what ran
     */
    static Picture of(RunTrace trace, String title) {
        return new RunPicture(trace).picture(title);
    }

    /** For each of the first failures: the failed PEs, the iteration, and the duration of the recovery. */
    static List<String> notes(RunTrace trace) {
        List<String> notes = new ArrayList<>();
        trace.recoveries().forEach(recovery -> notes.add(String.format(Locale.ROOT,
                "%s in iteration %d, recovered after %.1f ms", pes(recovery.failedRanks()), recovery.iteration(),
                recovery.totalNanos() / NANOS_PER_MILLI)));
        RunTrace.Loss loss = trace.loss();
        if (loss != null) {
            notes.add(pes(loss.failedRanks()) + " in iteration " + loss.iteration() + ", data lost");
        }
        if (notes.size() <= MAX_NOTES) {
            return notes;
        }
        List<String> first = new ArrayList<>(notes.subList(0, MAX_NOTES));
        first.add("and " + (notes.size() - MAX_NOTES) + " more failures");
        return first;
    }

    private static String pes(List<Integer> ranks) {
        if (ranks.size() > MAX_NAMES) {
            return ranks.size() + " PEs fail";
        }
        return ranks.size() == 1
                ? "PE " + ranks.getFirst() + " fails"
                : "PEs " + ranks.stream().limit(ranks.size() - 1L).map(String::valueOf)
                        .collect(Collectors.joining(", ")) + " and " + ranks.getLast() + " fail";
    }

    private boolean isInSeconds() {
        return trace.endNanos() >= 2 * NANOS_PER_SECOND;
    }

    private double time(long nanos) {
        return Math.clamp((double) nanos, 0, (double) trace.endNanos()) / nanosPerUnit;
    }

    private Picture picture(String title) {
        ValueAxis time = Chart.linear(isInSeconds() ? "time (s)" : "time (ms)");
        // A run without anything in it ends after a unit.
        time.setRange(0, trace.endNanos() == 0 ? 1 : time(trace.endNanos()));
        CombinedDomainXYPlot plot = new CombinedDomainXYPlot(time);
        plot.add(lanePlot(), SHARE_OF_LANES);
        plot.add(valuePlot(), 1);
        JFreeChart chart = new JFreeChart(title, Picture.TITLE, plot, true);
        List<String> notes = notes(trace);
        notes.forEach(note -> chart.addSubtitle(new TextTitle(note, new Font(Font.SANS_SERIF, Font.PLAIN, 12))));
        return new Picture(chart, trace.pes() + " PEs over time: what they did, and the " + VALUE + ". "
                + String.join("; ", notes), WIDTH, HEIGHT);
    }

    /** A bar for each span, in the lane of its PE, and a cross where the PE failed. */
    private XYPlot lanePlot() {
        for (Activity activity : Activity.values()) {
            spans.put(activity, new XYIntervalSeries(activity.label, false, true));
        }
        XYSeries failed = new XYSeries("failed", false);
        for (int lane = 0; lane < lanes.size(); lane++) {
            long end = failedNanos.getOrDefault(lanes.get(lane), trace.endNanos());
            addSpans(lane, end);
            if (failedNanos.containsKey(lanes.get(lane))) {
                failed.add(time(end), lane);
            }
        }
        SymbolAxis names = new SymbolAxis(null, lanes.stream().map(rank -> "PE " + rank).toArray(String[]::new));
        names.setGridBandsVisible(false);
        names.setInverted(true);
        XYIntervalSeriesCollection bars = new XYIntervalSeriesCollection();
        spans.values().forEach(bars::addSeries);
        XYPlot plot = new XYPlot(bars, null, names, barRenderer());
        plot.setDataset(1, new XYSeriesCollection(failed));
        plot.setRenderer(1, crosses());
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        Picture.style(plot);
        plot.setRangeGridlinesVisible(false);
        markFailures(plot);
        return plot;
    }

    /** What a PE did until it failed, or the run ended: computing, and in each recovery what all survivors did. */
    private void addSpans(int lane, long end) {
        long from = 0;
        for (RecoverySummary recovery : trace.recoveries()) {
            if (recovery.failureNanos() >= end) {
                break;
            }
            from = addSpan(lane, Activity.COMPUTE, from, recovery.failureNanos());
            long recovered = Math.min(end, recovery.failureNanos() + recovery.totalNanos());
            for (Activity activity : Activity.values()) {
                from = addSpan(lane, activity, from, Math.min(recovered, from + activity.nanosIn(recovery)));
            }
        }
        addSpan(lane, Activity.COMPUTE, from, end);
    }

    private long addSpan(int lane, Activity activity, long from, long to) {
        XYIntervalSeries series = spans.get(activity);
        if (series != null && from < to) {
            series.add(time(from), time(from), time(to), lane, lane - HALF_LANE, lane + HALF_LANE);
        }
        return Math.max(from, to);
    }

    private static XYBarRenderer barRenderer() {
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setUseYInterval(true);
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(false);
        renderer.setBarPainter(new StandardXYBarPainter());
        int number = 0;
        for (Activity activity : Activity.values()) {
            renderer.setSeriesPaint(number++, activity.colour());
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
        failedNanos.values().stream().distinct().forEach(
                nanos -> plot.addDomainMarker(new ValueMarker(time(nanos), FAILURE, FAILURE_LINE)));
    }

    /** How far the computation had come. */
    private XYPlot valuePlot() {
        XYSeries series = new XYSeries(VALUE, false);
        trace.values().stream().filter(value -> Double.isFinite(value.value()))
                .forEach(value -> series.add(time(value.nanos()), value.value()));
        XYLineAndShapeRenderer line = new XYLineAndShapeRenderer(true, false);
        line.setSeriesPaint(0, Picture.COLOURS.getFirst());
        line.setSeriesStroke(0, new BasicStroke(2));
        line.setSeriesVisibleInLegend(0, false);
        XYPlot plot = new XYPlot(new XYSeriesCollection(series), null, Chart.linear(VALUE), line);
        Picture.style(plot);
        markFailures(plot);
        return plot;
    }
}
