package org.restorej.demo.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Round numbers along an axis. */
final class Ticks {
    private static final double[] STEPS = {1, 2, 5, 10};

    private Ticks() {}

    /** Multiples of 1, 2 or 5 times a power of ten from {@code low} to {@code high}; some {@code wanted} of them. */
    static List<Double> linear(double low, double high, int wanted) {
        double rough = (high - low) / wanted;
        if (!(rough > 0)) {
            return List.of(low);
        }
        double decade = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = decade * STEPS[STEPS.length - 1];
        for (int i = STEPS.length - 1; i >= 0 && STEPS[i] * decade >= rough; i--) {
            step = STEPS[i] * decade;
        }
        List<Double> ticks = new ArrayList<>();
        for (double multiple = Math.ceil(low / step); multiple * step <= high; multiple++) {
            ticks.add(multiple * step);
        }
        return ticks;
    }

    /** Powers of ten from {@code low} to {@code high}, at most some {@code wanted} of them. */
    static List<Double> decades(double low, double high, int wanted) {
        int first = (int) Math.ceil(Math.log10(low));
        int last = (int) Math.floor(Math.log10(high));
        int step = Math.max(1, Math.ceilDiv(last - first + 1, wanted));
        List<Double> ticks = new ArrayList<>();
        for (int exponent = first; exponent <= last; exponent += step) {
            ticks.add(Math.pow(10, exponent));
        }
        return ticks;
    }

    /** A value with as many digits as tell neighbouring ticks apart. */
    static String text(double value, double step) {
        if (value != 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e7)) {
            return String.format(Locale.ROOT, "%.2e", value).replaceAll("\\.?0+(e|$)", "$1").replaceAll("e-0", "e-")
                    .replaceAll("e\\+0?", "e");
        }
        int digits = step > 0 ? (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 2;
        return String.format(Locale.ROOT, "%." + Math.min(9, digits) + "f", value);
    }
}
