package org.restorej.demo.picture;

import java.awt.Graphics2D;
import java.util.List;
import org.restorej.cli.plot.Axis;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.PictureText;
import org.restorej.cli.plot.PlacedAxis;
import org.restorej.cli.plot.PlotArea;
import org.restorej.cli.plot.Series;
import org.restorej.demo.run.RunTrace;

/**
 * How far the computation had come, over the time. By powers of ten where values span more than two of them; zeros have
 * no place there.
 */
final class ValuePanel {
    static final double HEIGHT = 150;
    private static final double RATIO_FOR_DECADES = 100;

    private final List<RunTrace.Value> values;
    private final Axis up;

    ValuePanel(RunTrace trace, String name) {
        List<RunTrace.Value> all = trace.values().stream().filter(value -> Double.isFinite(value.value())).toList();
        List<RunTrace.Value> positive = all.stream().filter(value -> value.value() > 0).toList();
        boolean byDecades = !positive.isEmpty() && all.stream().allMatch(value -> value.value() >= 0)
                && high(positive) / low(positive) > RATIO_FOR_DECADES;
        values = byDecades ? positive : all;
        up = byDecades ? Axis.log(name) : Axis.linear(name);
    }

    private static double low(List<RunTrace.Value> values) {
        return values.stream().mapToDouble(RunTrace.Value::value).min().orElse(0);
    }

    private static double high(List<RunTrace.Value> values) {
        return values.stream().mapToDouble(RunTrace.Value::value).max().orElse(1);
    }

    /** Where they are drawn, below {@code top}. */
    PlotArea area(TimeAxis time, double top) {
        return new PlotArea(time.placed(),
                PlacedAxis.around(up, List.of(low(values), high(values)), top + HEIGHT, top));
    }

    void draw(Graphics2D surface, PlotArea area, TimeAxis time) {
        List<Series.Point> points = values.stream()
                .map(value -> new Series.Point(time.value(value.nanos()), value.value())).toList();
        List<Series> series = points.isEmpty()
                ? List.of()
                : List.of(new Series(up.label(), points, Series.Style.LINE));
        area.draw(surface, series);
        surface.setColor(Palette.BLACK);
        PictureText.after(surface, up.label(), time.left(), area.up().to() - 6);
    }
}
