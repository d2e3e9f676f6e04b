package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses amounts: a number and a unit without a space, such as {@code 16MiB} or {@code 5y}.
 *
 * @param example for messages
 * @param units allowed units
 */
record Units(String example, List<Unit> units) {
    /** Memory; the value is in bytes. */
    static final Units BYTES = new Units("16MiB",
            List.of(new Unit("B", 1), new Unit("kB", 1e3), new Unit("MB", 1e6), new Unit("GB", 1e9),
                    new Unit("TB", 1e12), new Unit("KiB", 0x1p10), new Unit("MiB", 0x1p20), new Unit("GiB", 0x1p30),
                    new Unit("TiB", 0x1p40)));
    /** Time; the value is in hours, a year being 365 days. */
    static final Units HOURS = new Units("5y", List.of(new Unit("s", 1 / 3600.0), new Unit("min", 1 / 60.0),
            new Unit("h", 1), new Unit("d", 24), new Unit("w", 7 * 24), new Unit("y", 365 * 24)));

    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)([A-Za-z]*)");

    /**
     * A unit.
     *
     * @param name as written
     * @param factor its size in the unit of the value
     */
    record Unit(String name, double factor) {}

    /** Copies the list. */
    Units {
        units = List.copyOf(units);
    }

    /**
     * Parses a positive amount.
     *
     * @param option name of the option
     * @param text as given
     * @param errors receives error messages
     * @return the value, or empty if there is an error
     */
    OptionalDouble parse(String option, String text, List<String> errors) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            errors.add(option + " must be a number and a unit (" + names() + "), as in " + example + ": " + option + "="
                    + text);
            return OptionalDouble.empty();
        }
        Optional<Unit> unit = units.stream().filter(known -> known.name().equals(amount.group(2))).findFirst();
        if (unit.isEmpty()) {
            errors.add(option + " must have one of the units " + names() + ", as in " + example + ": " + option + "="
                    + text);
            return OptionalDouble.empty();
        }
        double value = Double.parseDouble(amount.group(1)) * unit.get().factor();
        if (!(value > 0 && value <= Long.MAX_VALUE)) {
            errors.add(option + " must be more than 0, and less than 2^63: " + option + "=" + text);
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(value);
    }

    private String names() {
        return units.stream().map(Unit::name).collect(Collectors.joining(", "));
    }
}
