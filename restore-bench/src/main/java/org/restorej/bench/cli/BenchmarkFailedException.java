package org.restorej.bench.cli;

/** A benchmark has not come to an end, or has moved wrong bytes: there are no results. */
public final class BenchmarkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says what has failed; why, the benchmark has said itself. */
    public BenchmarkFailedException(String message) {
        super(message);
    }

    /** As above, with what led to it. */
    public BenchmarkFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
