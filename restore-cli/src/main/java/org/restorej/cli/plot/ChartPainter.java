package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws a line chart: its title, to the right its legend, in between the axes with their grid and the series. */
final class ChartPainter {
    private static final int PADDING = 16;
    private static final int TITLE_SIZE = 17;
    private static final int LEAST_TITLE_SIZE = 9;
    private static final double TITLE_BASELINE = 32;
    private static final double TOP = 52;
    private static final double BOTTOM = LineChart.HEIGHT - 58.0;
    private static final double TICK_LENGTH = 5;
    private static final double TO_LABEL = 9;
    private static final double LABEL_HEIGHT = 14;
    /** From a label's baseline up to the middle of its digits. */
    private static final double TO_MIDDLE = 4.5;
    /** Between labels next to each other. */
    private static final double LABEL_DISTANCE = 10;

    private final LineChart content;
    private final Graphics2D surface;
    private final Font labels = PictureFonts.plain(12);
    private final Font axisTitles = PictureFonts.plain(14);
    private final List<SeriesPainter> series;
    private final Legend legend;
    private final PlacedAxis up;
    private final List<Tick> upTicks;
    private final PlacedAxis across;
    private final List<Tick> acrossTicks;

    private ChartPainter(LineChart content, Graphics2D surface) {
        this.content = content;
        this.surface = surface;
        series = IntStream.range(0, content.series().size())
                .mapToObj(index -> SeriesPainter.of(content.series().get(index), index)).toList();
        legend = Legend.of(series, PictureFonts.plain(13));
        up = PlacedAxis.of(content.yAxis(),
                points().flatMap(point -> Stream.of(point.y(), point.low(), point.high())).toList(), BOTTOM, TOP);
        upTicks = new AxisTicks(up, _ -> LABEL_HEIGHT + LABEL_DISTANCE)
                .choose(points().map(Series.Point::y).toList());
        double left = PADDING + axisTitles.getSize() + TO_LABEL + TO_LABEL + upTicks.stream()
                .mapToDouble(tick -> PictureText.width(labels, tick.label())).max().orElse(0);
        List<Double> x = points().map(Series.Point::x).toList();
        across = PlacedAxis.of(content.xAxis(), x, left, LineChart.WIDTH - 2 * PADDING - legend.width());
        acrossTicks = new AxisTicks(across, label -> PictureText.width(labels, label) + LABEL_DISTANCE).choose(x);
    }

    private Stream<Series.Point> points() {
        return content.series().stream().flatMap(one -> one.points().stream());
    }

    static void paint(LineChart content, Graphics2D surface) {
        ChartPainter painter = new ChartPainter(content, surface);
        painter.drawTitle();
        painter.drawGrid();
        painter.drawTicks();
        painter.drawAxisTitles();
        painter.series.forEach(one -> one.draw(surface, painter.across, painter.up));
        painter.legend.draw(surface, painter.across.to() + PADDING, TOP);
    }

    /** Smaller where it is long. */
    private void drawTitle() {
        int size = TITLE_SIZE;
        while (size > LEAST_TITLE_SIZE && PictureText.width(PictureFonts.bold(size),
                content.title()) > LineChart.WIDTH - 2 * PADDING) {
            size--;
        }
        surface.setFont(PictureFonts.bold(size));
        surface.setColor(Palette.BLACK);
        PictureText.centred(surface, content.title(), LineChart.WIDTH / 2.0, TITLE_BASELINE);
    }

    private void drawGrid() {
        surface.setColor(Palette.GRID);
        surface.setStroke(new BasicStroke(0.7f));
        upTicks.forEach(tick -> drawLine(across.from(), tick.place(), across.to(), tick.place()));
        acrossTicks.forEach(tick -> drawLine(tick.place(), TOP, tick.place(), BOTTOM));
    }

    private void drawTicks() {
        surface.setColor(Palette.GREY);
        surface.setStroke(new BasicStroke(1));
        drawLine(across.from(), TOP, across.from(), BOTTOM);
        drawLine(across.from(), BOTTOM, across.to(), BOTTOM);
        upTicks.forEach(tick -> drawLine(across.from() - TICK_LENGTH, tick.place(), across.from(), tick.place()));
        acrossTicks.forEach(tick -> drawLine(tick.place(), BOTTOM, tick.place(), BOTTOM + TICK_LENGTH));
        surface.setColor(Palette.BLACK);
        surface.setFont(labels);
        upTicks.stream().filter(Tick::hasLabel).forEach(tick -> PictureText.before(surface, tick.label(),
                across.from() - TO_LABEL, tick.place() + TO_MIDDLE));
        acrossTicks.stream().filter(Tick::hasLabel).forEach(tick -> PictureText.centred(surface, tick.label(),
                tick.place(), BOTTOM + TO_LABEL + LABEL_HEIGHT - 2));
    }

    private void drawAxisTitles() {
        surface.setFont(axisTitles);
        PictureText.centred(surface, content.xAxis().label(), (across.from() + across.to()) / 2,
                LineChart.HEIGHT - (double) PADDING);
        AffineTransform upright = surface.getTransform();
        surface.translate(PADDING + axisTitles.getSize() - 2, (TOP + BOTTOM) / 2);
        surface.rotate(-Math.PI / 2);
        PictureText.centred(surface, content.yAxis().label(), 0, 0);
        surface.setTransform(upright);
    }

    private void drawLine(double fromX, double fromY, double toX, double toY) {
        surface.draw(new Line2D.Double(fromX, fromY, toX, toY));
    }
}
