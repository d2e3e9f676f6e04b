package org.restorej.redset.internal.scr;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;

/**
 * A line as keys, in upper case, and values. Lines that begin with the same key and value are one, as in SCR.
 *
 * @param number the number of the first of its lines, or 0 if it is in none
 * @param entries in order; at least one
 */
record Line(int number, Map<String, Entry> entries) {
    private static final Pattern ESCAPED_OR_VARIABLE = Pattern.compile("\\\\(?<escaped>.)|\\$(?<name>[A-Za-z_]*)");

    /**
     * Reads a line.
     *
     * @param environment the variables that values may refer to
     * @param problems receives errors
     * @return empty if there is only a comment, or an error
     */
    static Optional<Line> read(int number, String text, Map<String, String> environment, Problems problems) {
        int comment = text.indexOf('#');
        String content = (comment < 0 ? text : text.substring(0, comment)).strip().replaceAll("\\s*=\\s*", "=");
        if (content.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (String token : content.split("\\s+", -1)) {
            int equals = token.indexOf('=');
            if (equals <= 0 || equals == token.length() - 1 || equals != token.lastIndexOf('=')) {
                problems.add(number, "must be a list of KEY=VALUE: " + token);
                return Optional.empty();
            }
            String key = token.substring(0, equals).toUpperCase(Locale.ROOT);
            Optional<String> value = expand(number, token.substring(equals + 1), environment, problems);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            if (entries.putIfAbsent(key, new Entry(number, key, value.get())) != null) {
                problems.add(number, "a key is there twice: " + token);
                return Optional.empty();
            }
        }
        return Optional.of(new Line(number, entries));
    }

    /** Replaces variables. As in SCR, names consist of letters and _, and a backslash escapes the next character. */
    private static Optional<String> expand(int number, String value, Map<String, String> environment,
            Problems problems) {
        StringBuilder expanded = new StringBuilder();
        Matcher found = ESCAPED_OR_VARIABLE.matcher(value);
        while (found.find()) {
            String name = found.group("name");
            String replacement = name == null ? found.group("escaped") : environment.get(name);
            if (replacement == null) {
                problems.add(number,
                        "$ must stand before the name, of letters and _, of a variable of the environment: "
                                + value + (name.isEmpty() ? "" : "; there is no " + name));
                return Optional.empty();
            }
            found.appendReplacement(expanded, Matcher.quoteReplacement(replacement));
        }
        return Optional.of(found.appendTail(expanded).toString());
    }

    /** The first entry, which says what the line is about. */
    Entry first() {
        return entries.values().iterator().next();
    }

    Entry entry(String key, Entry otherwise) {
        return entries.getOrDefault(key, otherwise);
    }

    boolean isDisabled() {
        return entry("ENABLED", new Entry(0, "ENABLED", "1")).value().equals("0");
    }

    /** Adds the line to those with other beginnings, or its entries to a line with the same beginning. */
    void addTo(Map<String, Line> lines, Set<String> knownKeys, Problems problems) {
        for (String key : entries.keySet()) {
            if (!knownKeys.contains(key)) {
                problems.add(number, "has an unknown key: " + key);
            }
        }
        Line earlier = lines.putIfAbsent(first().value(), this);
        if (earlier != null) {
            entries.forEach((key, entry) -> {
                Entry other = earlier.entries.putIfAbsent(key, entry);
                if (other != null && !other.value().equals(entry.value())) {
                    problems.add(number, first() + " must have one " + key + ", and has another in line "
                            + other.line() + ": " + entry.value());
                }
            });
        }
    }

    /**
     * A value and its source.
     *
     * @param line its line, or 0 if it is in none
     * @param name its key, for messages
     * @param value the text
     */
    record Entry(int line, String name, String value) {
        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    /** Collects the errors of a configuration while its values are read. Not thread-safe. */
    static final class Problems {
        private final List<ConfigurationException.Problem> problems = new ArrayList<>();

        void add(int line, String message) {
            problems.add(new ConfigurationException.Problem(line, message));
        }

        /** Adds the error that a value breaks a rule. */
        void add(Entry entry, String rule) {
            add(entry.line(), entry.name() + " must be " + rule + ": " + entry.value());
        }

        int count() {
            return problems.size();
        }

        /** Throws an exception with all errors in order of lines, if there are any. */
        void throwIfAny() throws ConfigurationException {
            if (!problems.isEmpty()) {
                problems.sort(Comparator.comparingInt(ConfigurationException.Problem::line));
                throw new ConfigurationException(problems);
            }
        }

        /** A number; after an error the minimum. */
        long number(Entry entry, long least, long most) {
            try {
                long number = Long.parseLong(entry.value());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // Reported below, like a number out of range.
            }
            add(entry, "a number in [" + least + ", " + most + "]");
            return least;
        }

        /** A path without redundant parts, as SCR compares them; null after an error. */
        @Nullable
        Path path(Entry entry) {
            try {
                return Path.of(entry.value()).normalize();
            } catch (InvalidPathException invalid) {
                add(entry.line(), entry.name() + " must be a path: " + invalid.getMessage());
                return null;
            }
        }
    }
}
