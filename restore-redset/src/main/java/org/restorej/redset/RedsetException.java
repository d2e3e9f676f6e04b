package org.restorej.redset;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A collective operation on files failed for another reason than a failed rank: a full disk, a file that can't be
 * read, a missing directory. Thrown on all ranks. The previous protection is unchanged, and the communicator still
 * works.
 */
public class RedsetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SortedMap<Integer, String> failures;

    /**
     * Creates the exception.
     *
     * @param operation name of the operation
     * @param failures the errors, by rank; at least one
     */
    public RedsetException(String operation, SortedMap<Integer, String> failures) {
        super(describe(operation, failures));
        this.failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
    }

    /** Of an operation that failed on all ranks for the same reason. */
    RedsetException(String operation, String failure) {
        super(operation + " failed: " + failure);
        failures = Collections.emptySortedMap();
    }

    private static String describe(String operation, SortedMap<Integer, String> failures) {
        return operation + " failed: " + failures.entrySet().stream()
                .map(failure -> "on rank " + failure.getKey() + ": " + failure.getValue())
                .collect(Collectors.joining("; "));
    }

    /** The errors, by rank; empty if no single rank has failed. */
    public SortedMap<Integer, String> failures() {
        return failures;
    }
}
