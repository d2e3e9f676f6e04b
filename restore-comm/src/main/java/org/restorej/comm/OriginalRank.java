package org.restorej.comm;

/**
 * The rank of a PE in the communicator with which the program started. It is never reused, and so identifies a PE for
 * its whole life.
 *
 * @param value the rank, at least 0
 */
public record OriginalRank(int value) implements Comparable<OriginalRank> {
    /**
     * Checks the rank.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public OriginalRank {
        if (value < 0) {
            throw new IllegalArgumentException("an original rank must be at least 0: value=" + value);
        }
    }

    /** The original rank of this value. */
    public static OriginalRank of(int value) {
        return new OriginalRank(value);
    }

    @Override
    public int compareTo(OriginalRank other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
