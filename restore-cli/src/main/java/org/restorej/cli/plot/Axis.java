package org.restorej.cli.plot;

import java.util.Locale;

/**
 * An axis of a chart.
 *
 * @param label what is on it, with its unit
 * @param scale how values lie on it
 * @param ticks how its values are written
 */
public record Axis(String label, Scale scale, Ticks ticks) {
    /** How values lie on an axis. */
    public enum Scale {
        /** Equal differences are equally far apart. */
        LINEAR,
        /** Equal ratios are equally far apart; only for values above 0. */
        LOGARITHMIC
    }

    /** How the values of an axis are written. */
    public enum Ticks {
        /** As numbers; very large and very small ones with a power of ten. */
        NUMBERS {
            @Override
            String text(double value) {
                return value == 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6)
                        ? digits(value)
                        : String.format(Locale.ROOT, "%.0e", value).replaceAll("e([+-])0*(\\d)", "e$1$2")
                                .replace("e+", "e");
            }
        },
        /** As multiples of 1000 bytes: 5 kB, 20 MB. */
        BYTES {
            private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};

            @Override
            String text(double value) {
                int unit = 0;
                double amount = value;
                while (Math.abs(amount) >= 1000 && unit < UNITS.length - 1) {
                    amount /= 1000;
                    unit++;
                }
                return digits(amount) + " " + UNITS[unit];
            }
        };

        abstract String text(double value);

        private static String digits(double value) {
            // Six digits hide what sums of steps like 0.1 leave behind.
            String text = String.format(Locale.ROOT, "%.6f", value);
            return text.replaceAll("\\.?0+$", "");
        }
    }

    /** Checks the label. */
    public Axis {
        if (label.isBlank()) {
            throw new IllegalArgumentException("an axis must have a label");
        }
    }

    /** From the least value to the greatest, evenly. */
    public static Axis linear(String label) {
        return new Axis(label, Scale.LINEAR, Ticks.NUMBERS);
    }

    /** By powers of ten. */
    public static Axis log(String label) {
        return new Axis(label, Scale.LOGARITHMIC, Ticks.NUMBERS);
    }

    /** The same axis with other ticks. */
    public Axis with(Ticks other) {
        return new Axis(label, scale, other);
    }

    /** Checks a value that is to be on this axis. */
    void check(String seriesName, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("values must be finite: " + describe(seriesName, value));
        }
        if (scale == Scale.LOGARITHMIC && value <= 0) {
            throw new IllegalArgumentException("values on a logarithmic axis must be more than 0: "
                    + describe(seriesName, value));
        }
    }

    private String describe(String seriesName, double value) {
        return "axis '" + label + "', series '" + seriesName + "', value=" + value;
    }
}
