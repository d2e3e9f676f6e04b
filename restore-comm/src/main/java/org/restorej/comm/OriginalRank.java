package org.restorej.comm;

/**
 * The rank that a PE had in the communicator the program started with: never reused, so it names a PE for good.
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
