package org.restorej.cli.plot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An axis laid over a stretch of the picture.
 *
 * @param axis what lies there
 * @param first the value where the stretch begins
 * @param last the value where it ends, more than {@code first}
 * @param from where the stretch begins
 * @param to where it ends; less than {@code from} for an axis upwards
 */
public record PlacedAxis(Axis axis, double first, double last, double from, double to) {
    /** Of the spread of values, at each end. */
    private static final double FREE = 0.04;
    /** Values nearer to each other than this part of them are as one: labels couldn't tell them apart. */
    private static final double LEAST_SPREAD = 1e-9;
    private static final int LEAST_TICKS = 3;
    private static final int MOST_TICKS = 9;
    /** Between round numbers, the largest first. */
    private static final int[] STEPS = {5, 2, 1};
    /** Of round numbers on an axis by ratios, the best first. */
    private static final List<int[]> DIGITS = List.of(new int[]{1, 2, 5}, new int[]{1, 3}, new int[]{1},
            new int[]{1, 2, 3, 4, 5, 6, 7, 8, 9});
    private static final int DECADES_OF_DOUBLES = 632;
    /** Of a step: what sums of steps may be off. */
    private static final double ROUNDING = 1e-9;

    /** A mark at an axis; its label is empty where there is no room for one. */
    record Tick(double place, String label) {}

    /** An axis with room for all values, of which there must be one, and some more at both ends. */
    public static PlacedAxis around(Axis axis, List<Double> values, double from, double to) {
        double low = Collections.min(values);
        double high = Collections.max(values);
        double size = Math.max(Math.abs(low), Math.abs(high));
        if (high - low <= LEAST_SPREAD * size) {
            double half = size == 0 ? 1 : size / 2;
            low -= half;
            high += half;
        }
        PlacedAxis tight = new PlacedAxis(axis, low, high, from, to);
        return new PlacedAxis(axis, tight.value(-FREE), tight.value(1 + FREE), from, to);
    }

    /** Where a value lies. */
    public double place(double value) {
        return from + (to - from) * (scaled(value) - scaled(first)) / (scaled(last) - scaled(first));
    }

    private double value(double part) {
        double value = scaled(first) + part * (scaled(last) - scaled(first));
        return axis.isLogarithmic() ? Math.pow(10, value) : value;
    }

    private double scaled(double value) {
        return axis.isLogarithmic() ? Math.log10(value) : value;
    }

    /**
     * Ticks, ascending, with labels that don't overlap; of round numbers at least three.
     *
     * @param extent of a label along the axis, with the space between labels
     */
    List<Tick> ticks(ToDoubleFunction<String> extent) {
        List<Double> values = axis.ticksAt();
        if (values.isEmpty()) {
            values = axis.isLogarithmic() ? byRatios(extent) : evenly(extent);
        }
        List<Tick> ticks = new ArrayList<>();
        double labelled = Double.NaN;
        for (double value : values) {
            boolean hasRoom = Double.isNaN(labelled) || areApart(labelled, value, extent);
            ticks.add(new Tick(place(value), hasRoom ? axis.text().apply(value) : ""));
            labelled = hasRoom ? value : labelled;
        }
        return ticks;
    }

    /** Of every decade, of every second one, and so on, until labels have room. */
    private List<Double> byRatios(ToDoubleFunction<String> extent) {
        return Stream.concat(DIGITS.stream().map(digits -> inDecades(1, digits)),
                IntStream.range(2, DECADES_OF_DOUBLES).mapToObj(every -> inDecades(every, 1)))
                .filter(values -> values.size() >= LEAST_TICKS && fit(values, extent)).findFirst()
                .orElseGet(() -> evenly(extent));
    }

    private List<Double> inDecades(int every, int... digits) {
        // Of decimal digits, so that 3e-3 is the number that is written so.
        return IntStream.rangeClosed(decade(first), decade(last)).filter(decade -> decade % every == 0).boxed()
                .flatMap(decade -> IntStream.of(digits).mapToObj(digit -> Double.valueOf(digit + "e" + decade)))
                .filter(value -> value >= first && value <= last).toList();
    }

    /** Multiples of the least round step with which there are not too many. */
    private List<Double> evenly(ToDoubleFunction<String> extent) {
        int decade = decade(last - first) + 1;
        List<Double> chosen = List.of();
        for (int i = 0;; i++) {
            List<Double> finer = multiples(Double.parseDouble(STEPS[i % 3] + "e" + (decade - i / 3)));
            if (chosen.size() >= LEAST_TICKS && (finer.size() > MOST_TICKS || !fit(finer, extent))) {
                return chosen;
            }
            chosen = finer;
        }
    }

    private List<Double> multiples(double step) {
        return LongStream.rangeClosed((long) Math.ceil(first / step - ROUNDING),
                (long) Math.floor(last / step + ROUNDING)).mapToObj(multiple -> multiple * step).toList();
    }

    private static int decade(double value) {
        return (int) Math.floor(Math.log10(value));
    }

    private boolean fit(List<Double> values, ToDoubleFunction<String> extent) {
        return IntStream.range(1, values.size()).allMatch(i -> areApart(values.get(i - 1), values.get(i), extent));
    }

    private boolean areApart(double a, double b, ToDoubleFunction<String> extent) {
        return Math.abs(place(a) - place(b)) >= Stream.of(a, b).map(axis.text()::apply).mapToDouble(extent).sum() / 2;
    }
}
