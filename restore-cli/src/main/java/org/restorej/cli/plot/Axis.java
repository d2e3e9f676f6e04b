package org.restorej.cli.plot;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * An axis of a chart.
 *
 * @param label what is on it, with its unit
 * @param isLogarithmic whether equal ratios are equally far apart, not equal differences; only for values above 0
 * @param ticksAt where it has ticks, whose labels are left out where they would lie on others; empty: at round numbers
 * @param text how its values are written
 */
public record Axis(String label, boolean isLogarithmic, List<Double> ticksAt, DoubleFunction<String> text) {
    /** Checks the label and sorts the ticks. */
    public Axis {
        if (label.isBlank()) {
            throw new IllegalArgumentException("an axis must have a label");
        }
        ticksAt = ticksAt.stream().sorted().distinct().toList();
    }

    /** From the least value to the greatest, evenly, with ticks at round numbers. */
    public static Axis linear(String label) {
        return new Axis(label, false, List.of(), Axis::number);
    }

    /** From the least value to the greatest, by ratios, with ticks at round numbers. */
    public static Axis log(String label) {
        return new Axis(label, true, List.of(), Axis::number);
    }

    /** A number as people write it; a very large or very small one with a power of ten. */
    public static String number(double value) {
        boolean isPlain = value == 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6);
        // Nine digits hide what sums of steps like 0.1 leave behind.
        return new DecimalFormat(isPlain ? "0.#########" : "0.#########E0",
                DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(value).replace('E', 'e');
    }

    /** Checks a value that is to be on this axis. */
    void check(String seriesName, double value) {
        if (!Double.isFinite(value) || (isLogarithmic && value <= 0)) {
            throw new IllegalArgumentException("values must be finite" + (isLogarithmic ? " and more than 0" : "")
                    + ": axis '" + label + "', series '" + seriesName + "', value=" + value);
        }
    }
}
