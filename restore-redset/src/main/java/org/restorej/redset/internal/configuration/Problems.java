package org.restorej.redset.internal.configuration;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.ConfigurationException;

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

    long number(Entry entry, String name, long least, long most, long insteadOfAnError) {
        try {
            long number = Long.parseLong(entry.value());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like a number out of range.
        }
        add(entry.line(), name + " must be a number in [" + least + ", " + most + "]: " + entry.value());
        return insteadOfAnError;
    }

    @Nullable
    Path path(int line, String name, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException invalid) {
            add(line, name + " must be a path: " + invalid.getMessage());
            return null;
        }
    }
}
