package org.restorej.comm;

/**
 * The rank of a PE in the communicator of today, which shrinks: after a failure the same number may name another PE.
 *
 * @param value the rank, at least 0
 */
public record CurrentRank(int value) implements Comparable<CurrentRank> {
    /**
     * Checks the rank.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public CurrentRank {
        if (value < 0) {
            throw new IllegalArgumentException("a current rank must be at least 0: value=" + value);
        }
    }

    /** The current rank of this value. */
    public static CurrentRank of(int value) {
        return new CurrentRank(value);
    }

    @Override
    public int compareTo(CurrentRank other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
