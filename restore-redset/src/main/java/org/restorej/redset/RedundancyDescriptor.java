package org.restorej.redset;

import java.nio.file.Path;

/**
 * Protection and place of some checkpoints.
 *
 * @param interval the descriptor is for checkpoints whose id this divides, unless a larger interval of another
 *        descriptor does, too
 * @param group kind of failure group: {@code NODE}, {@code WORLD}, or one that the configuration defines
 * @param store directory that holds the checkpoints
 * @param scheme redundancy scheme
 * @param setSize minimum number of ranks in a set
 */
public record RedundancyDescriptor(long interval, String group, Path store, Scheme scheme, int setSize) {
    /** Default number of ranks in a set, as in redset and SCR. */
    public static final int DEFAULT_SET_SIZE = 8;

    /** Checks the numbers. */
    public RedundancyDescriptor {
        if (interval < 1) {
            throw new IllegalArgumentException("interval must be at least 1: interval=" + interval);
        }
        if (group.isEmpty()) {
            throw new IllegalArgumentException("group must have a name");
        }
        if (setSize < scheme.smallestSet()) {
            throw new IllegalArgumentException(
                    "setSize must be at least " + scheme.smallestSet() + " for " + scheme + ": setSize=" + setSize);
        }
    }
}
