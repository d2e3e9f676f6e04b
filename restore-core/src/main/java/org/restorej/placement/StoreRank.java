package org.restorej.placement;

import org.restorej.comm.Communicator;

/**
 * The rank of a PE in one store, {@code 0 .. P - 1}, as used by placement, load balancers, requests and failed ranks.
 * It is the rank in the communicator on which the store was built, and does not change when that is shrunk. A spare
 * that replaces a failed PE takes its store rank.
 *
 * <p>
 * An {@link org.restorej.comm.OriginalRank} identifies a PE for its whole life, by its rank in the communicator
 * that the program started with. The two are the same numbers only for a store that was built on that communicator,
 * before any failure. {@code ReStore.rankOf} and {@code ReStore.processOf} translate.
 *
 * @param value the rank, at least 0
 */
public record StoreRank(int value) implements Comparable<StoreRank> {
    /**
     * Checks the rank.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public StoreRank {
        if (value < 0) {
            throw new IllegalArgumentException("a store rank must be at least 0: value=" + value);
        }
    }

    /** The store rank of this value. */
    public static StoreRank of(int value) {
        return new StoreRank(value);
    }

    /**
     * The rank that this PE will have in a store without spares on this communicator, for use before the store is
     * built, such as for the blocks that this PE submits.
     */
    public static StoreRank of(Communicator communicator) {
        return new StoreRank(communicator.rank());
    }

    @Override
    public int compareTo(StoreRank other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
