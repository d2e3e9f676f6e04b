package org.restorej.demo.picture;

import org.restorej.cli.plot.Axis;
import org.restorej.cli.plot.PlacedAxis;

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

    double x(long nanos) {
        return placed().place(value(nanos));
    }

    /** A time in the axis' unit. */
    double value(long nanos) {
        return Math.clamp((double) nanos, 0, (double) endNanos) / (inSeconds() ? NANOS_PER_SECOND : NANOS_PER_MILLI);
    }

    PlacedAxis placed() {
        // A run without anything in it ends after a unit.
        double end = endNanos == 0 ? 1 : value(endNanos);
        return new PlacedAxis(Axis.linear(inSeconds() ? "time (s)" : "time (ms)"), 0, end, left, right);
    }

    private boolean inSeconds() {
        return endNanos >= 2 * NANOS_PER_SECOND;
    }
}
