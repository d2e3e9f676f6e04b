package org.restorej.cli.plot;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Series over two axes, with a legend and error bars.
 *
 * <pre>{@code
 * LineChart.builder().title("submit, 8 PEs").xAxis(Axis.log("bytes a PE").with(Axis.Ticks.BYTES))
 *         .yAxis(Axis.log("time (ms)")).series("ReStore", bytes, medians, fastest, slowest)
 *         .reference("wire limit", bytes, limits).build().write(Path.of("submit.svg"));
 * }</pre>
 *
 * <p>
 * Immutable.
 *
 * @param title what the chart shows
 * @param xAxis to the right
 * @param yAxis upwards
 * @param series at least one, with different names, every value on its axis
 */
public record LineChart(String title, Axis xAxis, Axis yAxis, List<Series> series) {
    /** Of the picture, in its units. */
    public static final int WIDTH = 900;
    /** Of the picture, in its units. */
    public static final int HEIGHT = 560;

    /** Checks every value. */
    public LineChart {
        series = List.copyOf(series);
        if (title.isBlank()) {
            throw new IllegalArgumentException("a chart must have a title");
        }
        if (series.isEmpty()) {
            throw new IllegalArgumentException("a chart must have a series: chart '" + title + "'");
        }
        Set<String> names = new HashSet<>();
        for (Series one : series) {
            if (!names.add(one.name())) {
                throw new IllegalArgumentException("names of series must differ: '" + one.name() + "' is there twice");
            }
            for (Series.Point point : one.points()) {
                xAxis.check(one.name(), point.x());
                yAxis.check(one.name(), point.y());
                yAxis.check(one.name(), point.low());
                yAxis.check(one.name(), point.high());
            }
        }
    }

    /** A chart to be. */
    public static Builder builder() {
        return new Builder();
    }

    /** The chart as a picture. */
    public Picture picture() {
        String description = yAxis.label() + " over " + xAxis.label() + ": "
                + series.stream().map(Series::name).collect(Collectors.joining(", "));
        return new Picture(title, description, WIDTH, HEIGHT, surface -> ChartPainter.paint(this, surface));
    }

    /**
     * Writes the chart in the format that the file's name tells.
     *
     * @throws PictureException when there is no such format, no fonts, or the file can't be written
     */
    public void write(Path file) {
        picture().write(file);
    }

    /** As {@link Picture#writeSvg}. */
    public void writeSvg(Path file) {
        picture().writeSvg(file);
    }

    /** As {@link Picture#writePng}. */
    public void writePng(Path file) {
        picture().writePng(file);
    }

    /** Collects what a chart shows. One thread. */
    public static final class Builder {
        private final List<Series> series = new ArrayList<>();
        private @Nullable String title;
        private @Nullable Axis xAxis;
        private @Nullable Axis yAxis;

        private Builder() {}

        /** What the chart shows. */
        public Builder title(String text) {
            title = text;
            return this;
        }

        /** The axis to the right. */
        public Builder xAxis(Axis axis) {
            xAxis = axis;
            return this;
        }

        /** The axis upwards. */
        public Builder yAxis(Axis axis) {
            yAxis = axis;
            return this;
        }

        /** Adds a series. */
        public Builder series(Series one) {
            series.add(one);
            return this;
        }

        /** Adds values, marked and joined by a line. */
        public Builder series(String name, double[] x, double[] y) {
            return series(name, x, y, y, y);
        }

        /** Adds values with error bars from {@code low} to {@code high}, marked and joined by a line. */
        public Builder series(String name, double[] x, double[] y, double[] low, double[] high) {
            return series(Series.of(name, x, y, low, high, Series.Style.LINE));
        }

        /** Adds what others are compared with: a dashed line, a short one where there is one point. */
        public Builder reference(String name, double[] x, double[] y) {
            return series(Series.of(name, x, y, y, y, Series.Style.DASHED));
        }

        /**
         * The chart.
         *
         * @throws IllegalArgumentException when something is missing, or a value can't be on its axis
         */
        public LineChart build() {
            return new LineChart(given("title", title), given("xAxis", xAxis), given("yAxis", yAxis), series);
        }

        private static <T> T given(String name, @Nullable T value) {
            if (value == null) {
                throw new IllegalArgumentException("a chart must be given its " + name);
            }
            return value;
        }
    }
}
