package org.restorej.redset;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Not all ranks could do a collective operation on files, for another reason than a failed process: a full disk, a
 * file that can't be read, a directory that has vanished. All ranks throw the same. What was protected before still
 * is, and the communicator still works.
 */
public class RedsetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SortedMap<Integer, String> failures;

    /**
     * Says which ranks could not do what, and why.
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
