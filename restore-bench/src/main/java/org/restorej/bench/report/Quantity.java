package org.restorej.bench.report;

import java.util.Locale;

/** Numbers for people: three significant digits and a unit that keeps them short. Pure. */
final class Quantity {
    private static final String[] TIMES = {"s", "ms", "µs", "ns", "ps"};
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB"};

    /** What rounding leaves where there is no time. */
    private static final double NOTHING = 1e-14;

    private Quantity() {}

    /** {@code 23.4 ms}. */
    static String time(double seconds) {
        if (Math.abs(seconds) < NOTHING) {
            return "0.00 s";
        }
        double value = seconds;
        int unit = 0;
        while (Math.abs(value) < 1 && unit < TIMES.length - 1) {
            value *= 1000;
            unit++;
        }
        return digits(value) + " " + TIMES[unit];
    }

    /** {@code 2.67 GB/s}, by powers of 1000. */
    static String rate(double bytesPerSecond) {
        return bytesPerSecond >= 1e9 ? digits(bytesPerSecond / 1e9) + " GB/s" : digits(bytesPerSecond / 1e6) + " MB/s";
    }

    /** {@code 256 KiB}; a number of bytes that no unit divides stays one. */
    static String bytes(long bytes) {
        long value = bytes;
        int unit = 0;
        while (value >= 1024 && value % 1024 == 0 && unit < BINARY.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + " " + BINARY[unit];
    }

    /** Three significant digits, without a power of ten. */
    static String digits(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
