package org.restorej.cli.plot;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One or more series over two axes, with a title, a legend at the right, and error bars. Immutable. */
public record LineChart(String title, Axis xAxis, Axis yAxis, List<Series> series) {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    private static final double PADDING = 16;
    private static final int TITLE_SIZE = 17;
    private static final double TITLE_BASELINE = 32;
    private static final double TOP = 52;
    private static final double BOTTOM = HEIGHT - 58.0;
    private static final int AXIS_TITLE_SIZE = 14;
    private static final int NAME_SIZE = 13;
    private static final double MOST_NAME_WIDTH = 205;
    private static final double TO_NAME = Series.SAMPLE_WIDTH + 8;
    private static final double LINE_HEIGHT = 16;
    private static final double BETWEEN_NAMES = 7;
    /** From a baseline up to the middle of small letters. */
    private static final double TO_MIDDLE = 4.5;

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
                Stream.of(point.y(), point.low(), point.high()).forEach(value -> yAxis.check(one.name(), value));
            }
        }
    }

    /** The chart as a picture. */
    public Picture picture() {
        String description = yAxis.label() + " over " + xAxis.label() + ": "
                + series.stream().map(Series::name).collect(Collectors.joining(", "));
        return new Picture(title, description, WIDTH, HEIGHT, this::paint);
    }

    private void paint(Graphics2D surface) {
        List<Series.Point> points = series.stream().flatMap(one -> one.points().stream()).toList();
        PlacedAxis up = PlacedAxis.around(yAxis,
                points.stream().flatMap(point -> Stream.of(point.low(), point.high())).toList(), BOTTOM, TOP);
        double left = PADDING + AXIS_TITLE_SIZE + PlotArea.widthOfLabels(up);
        double right = WIDTH - 2 * PADDING - legendWidth();
        PlacedAxis across = PlacedAxis.around(xAxis, points.stream().map(Series.Point::x).toList(), left, right);
        surface.setColor(Palette.BLACK);
        drawTitle(surface);
        drawAxisTitles(surface, (left + right) / 2);
        new PlotArea(across, up).draw(surface, series);
        drawLegend(surface, right + PADDING);
    }

    /** Smaller where it is long. */
    private void drawTitle(Graphics2D surface) {
        Font font = PictureText.bold(TITLE_SIZE);
        int fitting = (int) (TITLE_SIZE * (WIDTH - 2 * PADDING) / PictureText.width(font, title));
        surface.setFont(PictureText.bold(Math.min(fitting, TITLE_SIZE)));
        PictureText.centred(surface, title, WIDTH / 2.0, TITLE_BASELINE);
    }

    private void drawAxisTitles(Graphics2D surface, double middle) {
        surface.setFont(PictureText.plain(AXIS_TITLE_SIZE));
        PictureText.centred(surface, xAxis.label(), middle, HEIGHT - PADDING);
        AffineTransform upright = surface.getTransform();
        surface.translate(PADDING + AXIS_TITLE_SIZE - 2, (TOP + BOTTOM) / 2);
        surface.rotate(-Math.PI / 2);
        PictureText.centred(surface, yAxis.label(), 0, 0);
        surface.setTransform(upright);
    }

    private double legendWidth() {
        return TO_NAME + series.stream().flatMap(one -> lines(one.name()).stream())
                .mapToDouble(LineChart::nameWidth).max().orElse(0);
    }

    private void drawLegend(Graphics2D surface, double left) {
        surface.setFont(PictureText.plain(NAME_SIZE));
        double baseline = TOP + LINE_HEIGHT;
        for (int i = 0; i < series.size(); i++) {
            series.get(i).drawSample(surface, i, left, baseline - TO_MIDDLE);
            surface.setColor(Palette.BLACK);
            for (String line : lines(series.get(i).name())) {
                PictureText.after(surface, line, left + TO_NAME, baseline);
                baseline += LINE_HEIGHT;
            }
            baseline += BETWEEN_NAMES;
        }
    }

    /** As much of a name in a line as has room, broken behind commas. */
    private static List<String> lines(String name) {
        List<String> lines = new ArrayList<>();
        for (String part : name.split("(?<=,)\\s+", -1)) {
            if (!lines.isEmpty() && nameWidth(lines.getLast() + " " + part) <= MOST_NAME_WIDTH) {
                lines.add(lines.removeLast() + " " + part);
            } else {
                lines.add(part);
            }
        }
        return lines;
    }

    private static double nameWidth(String line) {
        return PictureText.width(PictureText.plain(NAME_SIZE), line);
    }
}
