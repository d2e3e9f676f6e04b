package org.restorej.cli.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Points that belong together.
 *
 * @param name as it is in the legend
 * @param points in the order in which a line joins them; at least one
 * @param style how they are drawn
 */
public record Series(String name, List<Point> points, Style style) {
    /** How points are drawn. */
    public enum Style {
        /** Marks joined by a line: what was measured or computed. */
        LINE,
        /** A dashed line without marks: what it is compared with. Through a single point, a short one. */
        DASHED,
        /** Marks alone. */
        MARKS
    }

    /**
     * A value with its error bar, which has no length where {@code low == y == high}.
     *
     * @param x where
     * @param y the value
     * @param low the lower end of the bar, at most y
     * @param high the upper end, at least y
     */
    public record Point(double x, double y, double low, double high) {
        /** Checks the bar. NaN and infinity pass, as what is wrong with them is up to the axis. */
        public Point {
            if (low > y || high < y) {
                throw new IllegalArgumentException("an error bar must include its value: low=" + low + ", value=" + y
                        + ", high=" + high);
            }
        }

        boolean hasBar() {
            return low < high;
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

    /**
     * Points from arrays of equal length, which are copied.
     *
     * @param name as it is in the legend
     * @param x where
     * @param y values
     * @param low lower ends of error bars
     * @param high upper ends
     * @param style how they are drawn
     */
    public static Series of(String name, double[] x, double[] y, double[] low, double[] high, Style style) {
        if (x.length != y.length || x.length != low.length || x.length != high.length) {
            throw new IllegalArgumentException("arrays must be equally long: series '" + name + "', x=" + x.length
                    + ", y=" + y.length + ", low=" + low.length + ", high=" + high.length);
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            points.add(new Point(x[i], y[i], low[i], high[i]));
        }
        return new Series(name, points, style);
    }

    boolean hasBars() {
        return points.stream().anyMatch(Point::hasBar);
    }
}
