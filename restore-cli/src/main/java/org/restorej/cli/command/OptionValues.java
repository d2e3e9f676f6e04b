package org.restorej.cli.command;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses the values of options. Java's own methods would also accept digits of other scripts, hexadecimal numbers,
 * infinity, and an empty path for the working directory.
 */
public final class OptionValues {
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");

    private OptionValues() {}

    /** Registers the parsers at a command and its subcommands. */
    public static void registerAt(CommandLine command) {
        command.registerConverter(int.class, OptionValues::toInt);
        command.registerConverter(Integer.class, OptionValues::toInt);
        command.registerConverter(long.class, OptionValues::toLong);
        command.registerConverter(Long.class, OptionValues::toLong);
        command.registerConverter(double.class, OptionValues::toDouble);
        command.registerConverter(Double.class, OptionValues::toDouble);
        command.registerConverter(Path.class, OptionValues::toPath);
    }

    private static int toInt(String text) {
        long value = toLong(text);
        if (value != (int) value) {
            throw wrong("must be in " + Integer.MIN_VALUE + ".." + Integer.MAX_VALUE, text);
        }
        return (int) value;
    }

    private static long toLong(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw wrong("must be a whole number, of the digits 0 to 9", text);
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException tooLarge) {
            throw wrong("must be in " + Long.MIN_VALUE + ".." + Long.MAX_VALUE, text);
        }
    }

    private static double toDouble(String text) {
        double value = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!Double.isFinite(value)) {
            throw wrong("must be a number, of the digits 0 to 9 and a point", text);
        }
        return value;
    }

    private static Path toPath(String text) {
        if (text.isEmpty()) {
            throw wrong("a path must not be empty", text);
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException impossible) {
            throw wrong("a path must be possible here (" + impossible.getReason() + ")", text.replace('\0', '?'));
        }
    }

    private static TypeConversionException wrong(String rule, String text) {
        return new TypeConversionException(rule + ": '" + text + "'");
    }
}
