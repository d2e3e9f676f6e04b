package org.restorej.demo.picture;

import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.util.List;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.PictureFonts;
import org.restorej.cli.plot.PictureText;

/**
 * The time, from left to right: shared by all that is drawn of a run.
 *
 * @param left where time 0 is
 * @param right where the run ends
 * @param endNanos when that is
 */
record TimeAxis(double left, double right, long endNanos) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int TICKS = 8;

    double x(long nanos) {
        return left + (right - left) * Math.clamp((double) nanos / Math.max(1, endNanos), 0, 1);
    }

    private boolean inSeconds() {
        return endNanos >= 2 * NANOS_PER_SECOND;
    }

    private double unitNanos() {
        return inSeconds() ? NANOS_PER_SECOND : NANOS_PER_MILLI;
    }

    private List<Double> ticks() {
        return Ticks.linear(0, endNanos / unitNanos(), TICKS);
    }

    /** Vertical lines. */
    void drawGrid(Graphics2D surface, double top, double bottom) {
        surface.setColor(Palette.GRID);
        for (double tick : ticks()) {
            double x = x((long) (tick * unitNanos()));
            surface.draw(new Line2D.Double(x, top, x, bottom));
        }
    }

    /** Numbers below {@code top}, and what they are. */
    void drawLabels(Graphics2D surface, double top) {
        List<Double> ticks = ticks();
        double step = ticks.size() > 1 ? ticks.get(1) - ticks.get(0) : 1;
        surface.setFont(PictureFonts.plain(12));
        surface.setColor(Palette.GREY);
        for (double tick : ticks) {
            PictureText.centred(surface, Ticks.text(tick, step), x((long) (tick * unitNanos())), top + 16);
        }
        surface.setColor(Palette.BLACK);
        PictureText.centred(surface, inSeconds() ? "time (s)" : "time (ms)", (left + right) / 2, top + 36);
    }
}
