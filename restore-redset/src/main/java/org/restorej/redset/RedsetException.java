package org.restorej.redset;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A collective operation on files could not be done by all, for a reason other than a failed process: a full disk, a
 * file that can't be read, a directory that has vanished. Every rank gets the same. What was there before is still
 * there, and the communicator works on.
 */
public class RedsetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SortedMap<Integer, String> failures;

    /**
     * A failure.
     *
     * @param operation what could not be done
     * @param failures by rank, what went wrong there; at least one
     */
    public RedsetException(String operation, SortedMap<Integer, String> failures) {
        super(describe(operation, failures));
        this.failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
    }

    private static String describe(String operation, SortedMap<Integer, String> failures) {
        return operation + " failed: " + failures.entrySet().stream()
                .map(failure -> "on rank " + failure.getKey() + ": " + failure.getValue())
                .collect(Collectors.joining("; "));
    }

    /** What went wrong, by rank. */
    public SortedMap<Integer, String> failures() {
        return failures;
    }
}
