package org.restorej.cli.plot;

import java.util.List;

/**
 * An axis laid over a stretch of the picture, some of which is free at both of its ends.
 *
 * @param axis what lies there
 * @param low the least value
 * @param high the greatest, more than {@code low}
 * @param from where the stretch begins, at the side of the least values
 * @param to where it ends; less than {@code from} for an axis upwards
 */
record PlacedAxis(Axis axis, double low, double high, double from, double to) {
    /** Of the stretch, at each end. */
    private static final double FREE = 0.04;
    /** Values nearer to each other than this part of them are as one: labels couldn't tell them apart. */
    private static final double LEAST_SPREAD = 0.01;

    /** An axis with room for all values, of which there must be one. */
    static PlacedAxis of(Axis axis, List<Double> values, double from, double to) {
        double low = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double high = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        if (high - low > LEAST_SPREAD * Math.max(Math.abs(low), Math.abs(high))) {
            return new PlacedAxis(axis, low, high, from, to);
        }
        if (axis.scale() == Axis.Scale.LOGARITHMIC) {
            return new PlacedAxis(axis, low / 2, high * 2, from, to);
        }
        double around = low == 0 && high == 0 ? 1 : Math.max(Math.abs(low), Math.abs(high)) / 2;
        return new PlacedAxis(axis, low - around, high + around, from, to);
    }

    /** Where a value lies. */
    double place(double value) {
        double part = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
        return from + (to - from) * (FREE + (1 - 2 * FREE) * part);
    }

    /** The value at the beginning of the stretch. */
    double first() {
        return value(-FREE / (1 - 2 * FREE));
    }

    /** The value at its end. */
    double last() {
        return value(1 + FREE / (1 - 2 * FREE));
    }

    private double value(double part) {
        double value = scaled(low) + part * (scaled(high) - scaled(low));
        return axis.scale() == Axis.Scale.LOGARITHMIC ? Math.pow(10, value) : value;
    }

    private double scaled(double value) {
        return axis.scale() == Axis.Scale.LOGARITHMIC ? Math.log10(value) : value;
    }
}
