package org.restorej.demo.picture;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.util.List;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.PictureFonts;
import org.restorej.cli.plot.PictureText;
import org.restorej.demo.run.RunTrace;

/**
 * How far the computation had come, over the time. By powers of ten where values span more than two of them; zeros have
 * no place there.
 */
final class ValuePanel {
    static final double HEIGHT = 150;
    private static final double INSET = 10;
    private static final double RATIO_FOR_DECADES = 100;
    private static final int TICKS = 4;
    /** More marks would hide the line. */
    private static final int MOST_MARKS = 60;

    private final List<RunTrace.Value> values;
    private final String name;
    private final boolean byDecades;
    private final double low;
    private final double high;

    ValuePanel(RunTrace trace, String name) {
        List<RunTrace.Value> all = trace.values().stream().filter(value -> Double.isFinite(value.value())).toList();
        List<RunTrace.Value> positive = all.stream().filter(value -> value.value() > 0).toList();
        byDecades = !positive.isEmpty() && all.stream().allMatch(value -> value.value() >= 0)
                && high(positive) / low(positive) > RATIO_FOR_DECADES;
        values = byDecades ? positive : all;
        low = low(values);
        high = high(values);
        this.name = name;
    }

    private static double low(List<RunTrace.Value> values) {
        return values.stream().mapToDouble(RunTrace.Value::value).min().orElse(0);
    }

    private static double high(List<RunTrace.Value> values) {
        return values.stream().mapToDouble(RunTrace.Value::value).max().orElse(1);
    }

    void draw(Graphics2D surface, TimeAxis axis, double top) {
        drawAxis(surface, axis, top);
        surface.setColor(Palette.BLUE);
        surface.setStroke(new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        Path2D line = new Path2D.Double();
        for (RunTrace.Value value : values) {
            double x = axis.x(value.nanos());
            double y = y(value.value(), top);
            if (line.getCurrentPoint() == null) {
                line.moveTo(x, y);
            } else {
                line.lineTo(x, y);
            }
        }
        surface.draw(line);
        if (values.size() <= MOST_MARKS) {
            for (RunTrace.Value value : values) {
                surface.fill(new Ellipse2D.Double(axis.x(value.nanos()) - 3, y(value.value(), top) - 3, 6, 6));
            }
        }
    }

    private void drawAxis(Graphics2D surface, TimeAxis axis, double top) {
        List<Double> ticks = byDecades ? Ticks.decades(low, high, TICKS) : Ticks.linear(low, high, TICKS);
        double step = ticks.size() > 1 && !byDecades ? ticks.get(1) - ticks.get(0) : 0;
        surface.setFont(PictureFonts.plain(12));
        surface.setStroke(new BasicStroke(1));
        for (double tick : ticks) {
            double y = y(tick, top);
            surface.setColor(Palette.GRID);
            surface.draw(new Line2D.Double(axis.left(), y, axis.right(), y));
            surface.setColor(Palette.GREY);
            PictureText.before(surface, Ticks.text(tick, step), axis.left() - 8, y + 4);
        }
        surface.setColor(Palette.BLACK);
        PictureText.after(surface, name, axis.left(), top - 6);
    }

    private double y(double value, double top) {
        double part = high > low ? (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) : 0.5;
        return top + HEIGHT - INSET - part * (HEIGHT - 2 * INSET);
    }

    private double scaled(double value) {
        return byDecades ? Math.log10(value) : value;
    }
}
