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

    private final transient SortedMap<Integer, String> complaints;

    /**
     * A failure.
     *
     * @param operation what could not be done
     * @param complaints by rank, what went wrong there; at least one
     */
    public RedsetException(String operation, SortedMap<Integer, String> complaints) {
        super(describe(operation, complaints));
        this.complaints = Collections.unmodifiableSortedMap(new TreeMap<>(complaints));
    }

    private static String describe(String operation, SortedMap<Integer, String> complaints) {
        return operation + " failed: " + complaints.entrySet().stream()
                .map(complaint -> "on rank " + complaint.getKey() + ": " + complaint.getValue())
                .collect(Collectors.joining("; "));
    }

    /** What went wrong, by rank. */
    public SortedMap<Integer, String> complaints() {
        return complaints;
    }
}
