package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.util.List;

/**
 * Draws a series and its sample in the legend.
 *
 * @param series what
 * @param colour of all of it
 * @param mark of its points, where it has any
 */
record SeriesPainter(Series series, Color colour, MarkShape mark) {
    /** Of the sample in a legend. */
    static final double SAMPLE_WIDTH = 28;
    private static final List<MarkShape> MARKS = List.of(MarkShape.values());
    private static final float LINE_WIDTH = 2;
    private static final float BAR_WIDTH = 1.2f;
    private static final double HALF_CAP = 3;
    /** Of the dashes that stand for a line of a single point. */
    private static final double HALF_LONE_LINE = 20;
    private static final BasicStroke SOLID = new BasicStroke(LINE_WIDTH, BasicStroke.CAP_ROUND,
            BasicStroke.JOIN_ROUND);
    private static final BasicStroke DASHES = new BasicStroke(LINE_WIDTH, BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND, 10, new float[]{7, 5}, 0);

    /** The colours and marks of all series, in order. */
    static SeriesPainter of(Series series, int index) {
        return new SeriesPainter(series, Palette.SERIES.get(index % Palette.SERIES.size()),
                MARKS.get(index % MARKS.size()));
    }

    void draw(Graphics2D surface, PlacedAxis across, PlacedAxis up) {
        surface.setColor(colour);
        // First, so that marks lie over their bars.
        surface.setStroke(new BasicStroke(BAR_WIDTH));
        series.points().stream().filter(Series.Point::hasBar)
                .forEach(point -> drawBar(surface, across.place(point.x()), up.place(point.low()),
                        up.place(point.high())));
        if (series.style() != Series.Style.MARKS) {
            surface.setStroke(stroke());
            surface.draw(line(across, up));
        }
        if (series.style() != Series.Style.DASHED) {
            series.points().forEach(point -> surface.fill(mark.at(across.place(point.x()), up.place(point.y()))));
        }
    }

    private BasicStroke stroke() {
        return series.style() == Series.Style.DASHED ? DASHES : SOLID;
    }

    private Path2D line(PlacedAxis across, PlacedAxis up) {
        Path2D line = new Path2D.Double();
        if (series.points().size() == 1) {
            Series.Point only = series.points().getFirst();
            line.append(new Line2D.Double(across.place(only.x()) - HALF_LONE_LINE, up.place(only.y()),
                    across.place(only.x()) + HALF_LONE_LINE, up.place(only.y())), false);
            return line;
        }
        for (Series.Point point : series.points()) {
            if (line.getCurrentPoint() == null) {
                line.moveTo(across.place(point.x()), up.place(point.y()));
            } else {
                line.lineTo(across.place(point.x()), up.place(point.y()));
            }
        }
        return line;
    }

    private static void drawBar(Graphics2D surface, double x, double low, double high) {
        surface.draw(new Line2D.Double(x, low, x, high));
        surface.draw(new Line2D.Double(x - HALF_CAP, low, x + HALF_CAP, low));
        surface.draw(new Line2D.Double(x - HALF_CAP, high, x + HALF_CAP, high));
    }

    void drawSample(Graphics2D surface, double x, double y) {
        surface.setColor(colour);
        if (series.style() != Series.Style.MARKS) {
            surface.setStroke(stroke());
            surface.draw(new Line2D.Double(x, y, x + SAMPLE_WIDTH, y));
        }
        if (series.style() != Series.Style.DASHED) {
            surface.fill(mark.at(x + SAMPLE_WIDTH / 2, y));
        }
    }
}
