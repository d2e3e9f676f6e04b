package org.restorej.cli.plot;

import java.util.Locale;

/**
 * An axis of a chart.
 *
 * @param label what is on it, with its unit
 * @param scale how values lie on it
 * @param ticks how its values are written
 * @param places where it has ticks
 */
public record Axis(String label, Scale scale, Ticks ticks, TickPlaces places) {
    /** How values lie on an axis. */
    public enum Scale {
        /** Equal differences are equally far apart. */
        LINEAR,
        /** Equal ratios are equally far apart; only for values above 0. */
        LOGARITHMIC
    }

    /** Where ticks lie. */
    public enum TickPlaces {
        /** At round numbers: some multiples of 1, 2 or 5 times a power of ten. */
        ROUND_NUMBERS,
        /** Where the series have points; labels that would lie on others are left out. */
        POINTS
    }

    /** How the values of an axis are written. */
    public enum Ticks {
        /** As numbers; very large and very small ones with a power of ten. */
        NUMBERS {
            @Override
            String text(double value) {
                return value == 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6)
                        ? digits(value)
                        : String.format(Locale.ROOT, "%.6e", value).replaceAll("\\.?0+e", "e")
                                .replaceAll("e([+-])0*(\\d)", "e$1$2").replace("e+", "e");
            }
        },
        /** As multiples of 1024 bytes: 64 B, 4 KiB, 16 MiB. */
        BYTES {
            private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

            @Override
            String text(double value) {
                int unit = 0;
                double amount = value;
                while (Math.abs(amount) >= 1024 && unit < UNITS.length - 1) {
                    amount /= 1024;
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
        return new Axis(label, Scale.LINEAR, Ticks.NUMBERS, TickPlaces.ROUND_NUMBERS);
    }

    /** From the least value to the greatest, by ratios. */
    public static Axis log(String label) {
        return new Axis(label, Scale.LOGARITHMIC, Ticks.NUMBERS, TickPlaces.ROUND_NUMBERS);
    }

    /** The same axis with other ticks. */
    public Axis with(Ticks other) {
        return new Axis(label, scale, other, places);
    }

    /** The same axis with ticks at other places. */
    public Axis with(TickPlaces other) {
        return new Axis(label, scale, ticks, other);
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
