package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** Points that belong together, in the order in which a line joins them. */
public record Series(String name, List<Point> points, Style style) {
    /** Of the sample in a legend. */
    static final double SAMPLE_WIDTH = 28;
    private static final int MOST_MARKS_ON_A_LINE = 60;
    private static final double HALF_CAP = 3;
    /** Of the dashes that stand for a line of a single point. */
    private static final double HALF_LONE_LINE = 20;
    private static final BasicStroke BAR = new BasicStroke(1.2f);
    private static final BasicStroke SOLID = new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    private static final BasicStroke DASHES = new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10,
            new float[]{7, 5}, 0);

    /** How points are drawn. */
    public enum Style {
        /** Marks joined by a line, or the line alone where marks would hide it: what was measured or computed. */
        LINE,
        /** A dashed line without marks: what it is compared with. Through a single point, a short one. */
        DASHED,
        /** Marks alone. */
        MARKS
    }

    /** A value with its error bar, which has no length where {@code low == y == high}. */
    public record Point(double x, double y, double low, double high) {
        /** Checks the bar. NaN and infinity pass, as what is wrong with them is up to the axis. */
        public Point {
            if (low > y || high < y) {
                throw new IllegalArgumentException("an error bar must include its value: low=" + low + ", value=" + y
                        + ", high=" + high);
            }
        }

        /** A value without an error bar. */
        public Point(double x, double y) {
            this(x, y, y, y);
        }
    }

    /** Copies what can change. */
    public Series {
        points = List.copyOf(points);
        if (name.isBlank()) {
            throw new IllegalArgumentException("a series must have a name");
        }
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a series must have a point: series '" + name + "'");
        }
    }

    /** Draws it; its number among all series chooses its colour and its marks. */
    void draw(Graphics2D surface, int number, PlacedAxis across, PlacedAxis up) {
        surface.setColor(colour(number));
        double toEnds = points.size() == 1 ? HALF_LONE_LINE : 0;
        Path2D line = new Path2D.Double();
        for (Point point : points) {
            double x = across.place(point.x());
            double y = up.place(point.y());
            line.append(new Line2D.Double(x - toEnds, y, x + toEnds, y), true);
            if (point.low() < point.high()) {
                drawBar(surface, x, up.place(point.low()), up.place(point.high()));
            }
        }
        drawLine(surface, line);
        // Last, so that they lie over their bars.
        if (style != Style.LINE || points.size() <= MOST_MARKS_ON_A_LINE) {
            points.forEach(point -> drawMark(surface, number, across.place(point.x()), up.place(point.y())));
        }
    }

    /** Draws what stands for it in a legend. */
    void drawSample(Graphics2D surface, int number, double x, double y) {
        surface.setColor(colour(number));
        drawLine(surface, new Line2D.Double(x, y, x + SAMPLE_WIDTH, y));
        drawMark(surface, number, x + SAMPLE_WIDTH / 2, y);
    }

    private static Color colour(int number) {
        return Palette.SERIES.get(number % Palette.SERIES.size());
    }

    private static void drawBar(Graphics2D surface, double x, double low, double high) {
        surface.setStroke(BAR);
        surface.draw(new Line2D.Double(x, low, x, high));
        surface.draw(new Line2D.Double(x - HALF_CAP, low, x + HALF_CAP, low));
        surface.draw(new Line2D.Double(x - HALF_CAP, high, x + HALF_CAP, high));
    }

    private void drawLine(Graphics2D surface, Shape line) {
        if (style != Style.MARKS) {
            surface.setStroke(style == Style.DASHED ? DASHES : SOLID);
            surface.draw(line);
        }
    }

    private void drawMark(Graphics2D surface, int number, double x, double y) {
        if (style != Style.DASHED) {
            Shape square = new Rectangle2D.Double(x - 3.5, y - 3.5, 7, 7);
            surface.fill(switch (number % 3) {
                case 0 -> new Ellipse2D.Double(x - 3.5, y - 3.5, 7, 7);
                case 1 -> square;
                default -> AffineTransform.getRotateInstance(Math.PI / 4, x, y).createTransformedShape(square);
            });
        }
    }
}
