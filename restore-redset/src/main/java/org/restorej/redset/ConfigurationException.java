package org.restorej.redset;

import java.io.IOException;
import java.util.List;

/** A configuration has errors; all of them are listed. */
public final class ConfigurationException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * What is wrong with a line.
     *
     * @param line its number, from 1; 0 for the configuration as a whole
     * @param message name, rule, value
     */
    public record Problem(int line, String message) {
        @Override
        public String toString() {
            return line == 0 ? message : "line " + line + ": " + message;
        }
    }

    /**
     * Reports all errors of a configuration.
     *
     * @param problems all of them, in order of lines
     */
    public ConfigurationException(List<Problem> problems) {
        super(String.join(System.lineSeparator(), problems.stream().map(Problem::toString).toList()));
        this.problems = List.copyOf(problems);
    }

    /** All errors, in order of lines. */
    public List<Problem> problems() {
        return problems;
    }
}
