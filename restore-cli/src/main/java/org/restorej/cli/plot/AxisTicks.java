package org.restorej.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Chooses ticks so that labels don't overlap, and at least three of them are between the least value and the greatest.
 *
 * @param on the axis
 * @param extent of a label along the axis, with the space between labels
 */
record AxisTicks(PlacedAxis on, ToDoubleFunction<String> extent) {
    private static final int LEAST = 3;
    private static final int MOST = 9;
    private static final double[] ROUND = {1, 2, 5};
    private static final double[] DECADES = {1};
    /** Of the values on an axis by ratios, the best first. */
    private static final List<double[]> DIGITS = List.of(ROUND, new double[]{1, 3}, DECADES,
            new double[]{1, 2, 3, 4, 5, 6, 7, 8, 9});
    /** Of a step: what sums of steps may be off. */
    private static final double ROUNDING = 1e-9;

    /** The ticks, ascending. */
    List<Tick> choose(List<Double> points) {
        return labelled(switch (on.axis().places()) {
            case POINTS -> points.stream().sorted().distinct().toList();
            case ROUND_NUMBERS -> on.axis().scale() == Axis.Scale.LOGARITHMIC ? byRatios() : evenly();
        });
    }

    private List<Double> byRatios() {
        if (on.axis().ticks() == Axis.Ticks.BYTES) {
            return powers(2);
        }
        for (double[] digits : DIGITS) {
            List<Double> values = inDecades(digits);
            if (countWithin(values) >= LEAST && fit(values)) {
                return values;
            }
        }
        return countWithin(inDecades(DECADES)) >= LEAST ? powers(10) : evenly();
    }

    private List<Double> inDecades(double[] digits) {
        List<Double> values = new ArrayList<>();
        for (int exponent = floorLog(10, on.first()); exponent <= floorLog(10, on.last()); exponent++) {
            for (double digit : digits) {
                // Of decimal digits, so that 3e-3 is the number that is written so.
                addSeen(values, Double.parseDouble(digit + "e" + exponent));
            }
        }
        return values;
    }

    /** All powers of a base, or every second one, or every third, as many as have room. */
    private List<Double> powers(int base) {
        int least = floorLog(base, on.first());
        int greatest = floorLog(base, on.last());
        for (int step = 1;; step++) {
            List<Double> values = new ArrayList<>();
            for (int exponent = Math.ceilDiv(least, step) * step; exponent <= greatest; exponent += step) {
                addSeen(values, Math.pow(base, exponent));
            }
            if (fit(values)) {
                return values;
            }
        }
    }

    /** Multiples of the least round step with which there are not too many. */
    private List<Double> evenly() {
        int exponent = floorLog(10, on.high() - on.low()) + 1;
        List<Double> chosen = List.of();
        while (true) {
            for (int i = ROUND.length - 1; i >= 0; i--) {
                List<Double> values = multiples(Double.parseDouble(ROUND[i] + "e" + exponent));
                boolean enough = countWithin(chosen) >= LEAST;
                if (enough && (values.size() > MOST || !fit(values))) {
                    return chosen;
                }
                chosen = values;
            }
            exponent--;
        }
    }

    private List<Double> multiples(double step) {
        List<Double> values = new ArrayList<>();
        double last = on.last() / step + ROUNDING;
        for (double multiple = Math.ceil(on.first() / step - ROUNDING); multiple <= last; multiple++) {
            // Not -0.
            values.add(multiple * step + 0.0);
        }
        return values;
    }

    private void addSeen(List<Double> values, double value) {
        if (value >= on.first() && value <= on.last()) {
            values.add(value);
        }
    }

    private long countWithin(List<Double> values) {
        double rounding = (on.high() - on.low()) * ROUNDING;
        return values.stream().filter(value -> value >= on.low() - rounding && value <= on.high() + rounding).count();
    }

    private static int floorLog(int base, double value) {
        return (int) Math.floor(Math.log(value) / Math.log(base));
    }

    private boolean fit(List<Double> values) {
        return IntStream.range(1, values.size()).allMatch(i -> isApart(values.get(i - 1), values.get(i)));
    }

    private boolean isApart(double a, double b) {
        return Math.abs(on.place(a) - on.place(b)) >= (extent(a) + extent(b)) / 2;
    }

    private double extent(double value) {
        return extent.applyAsDouble(text(value));
    }

    private String text(double value) {
        return on.axis().ticks().text(value);
    }

    /** Each has a label that lies on none before it. */
    private List<Tick> labelled(List<Double> values) {
        List<Tick> ticks = new ArrayList<>();
        double last = Double.NaN;
        for (double value : values) {
            boolean hasRoom = Double.isNaN(last) || isApart(last, value);
            ticks.add(new Tick(on.place(value), hasRoom ? text(value) : ""));
            if (hasRoom) {
                last = value;
            }
        }
        return ticks;
    }
}
