package org.restorej.comm.local;

/**
 * A {@link LocalCluster} was given up: out of time, interrupted, all its PEs waited for each other, or for one that has
 * returned.
 */
public class StuckClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StuckClusterException(String message) {
        super(message);
    }
}
