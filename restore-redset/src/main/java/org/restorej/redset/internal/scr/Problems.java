package org.restorej.redset.internal.scr;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;

/** Errors of a configuration, collected while its values are read. One thread. */
final class Problems {
    private final List<ConfigurationException.Problem> problems = new ArrayList<>();

    void add(int line, String message) {
        problems.add(new ConfigurationException.Problem(line, message));
    }

    int count() {
        return problems.size();
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    /** Throws all of them, in order of lines. */
    void throwIfAny() throws ConfigurationException {
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(ConfigurationException.Problem::line));
            throw new ConfigurationException(problems);
        }
    }

    void requireKnown(Line line, Set<String> keys) {
        for (String key : line.entries().keySet()) {
            if (!keys.contains(key)) {
                add(line.number(), "has an unknown key: " + key);
            }
        }
    }

    long number(Line.Entry entry, String name, long least, long most, long insteadOfAnError) {
        try {
            long number = Long.parseLong(entry.value());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like a number out of range.
        }
        add(entry.line(), entry.named(name) + " must be a number in [" + least + ", " + most + "]: " + entry.value());
        return insteadOfAnError;
    }

    /** A path without redundant parts, as SCR compares them. */
    @Nullable
    Path path(Line.Entry entry, String name) {
        try {
            return Path.of(entry.value()).normalize();
        } catch (InvalidPathException invalid) {
            add(entry.line(), entry.named(name) + " must be a path: " + invalid.getMessage());
            return null;
        }
    }

    /** As C does it, in any locale. */
    static String upperCase(String text) {
        return text.toUpperCase(Locale.ROOT);
    }
}
