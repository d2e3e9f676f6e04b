package org.restorej.comm;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Maps current ranks of a communicator to original ranks. A communicator only loses PEs, so the map is stored as the
 * absent ranks: memory is linear in their number, not in the number of PEs. Immutable.
 */
public final class RankMap {
    private final int originalSize;
    private final int[] absent;

    private RankMap(int originalSize, int[] absent) {
        this.originalSize = originalSize;
        this.absent = absent;
    }

    /**
     * The map of a communicator without absent PEs.
     *
     * @param size number of PEs, at least 1
     */
    public static RankMap identity(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size must be at least 1: size=" + size);
        }
        return new RankMap(size, new int[0]);
    }

    /** Number of PEs in the communicator with which the program started. */
    public int originalSize() {
        return originalSize;
    }

    /** Number of PEs now. */
    public int size() {
        return originalSize - absent.length;
    }

    /** Original rank of a current rank, {@code 0 .. size() - 1}; logarithmic in the number of absent ranks. */
    public int originalRankOf(int currentRank) {
        if (currentRank < 0 || currentRank >= size()) {
            throw new IndexOutOfBoundsException(
                    "currentRank must be in [0, " + size() + "): currentRank=" + currentRank);
        }
        int low = 0;
        int high = absent.length;
        // The result is currentRank + m, with m absent ranks below it: absent[m - 1] - (m - 1) <= currentRank.
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (absent[middle] - middle <= currentRank) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return currentRank + low;
    }

    /** Current rank of an original rank, or -1 if that PE is absent; logarithmic in the number of absent ranks. */
    public int currentRankOf(int originalRank) {
        if (originalRank < 0 || originalRank >= originalSize) {
            return -1;
        }
        int found = Arrays.binarySearch(absent, originalRank);
        return found >= 0 ? -1 : originalRank - (-found - 1);
    }

    /** Original ranks that are not in the communicator, ascending. */
    public SortedSet<OriginalRank> absentRanks() {
        SortedSet<OriginalRank> ranks = new TreeSet<>();
        for (int rank : absent) {
            ranks.add(OriginalRank.of(rank));
        }
        return ranks;
    }

    /**
     * The map without further PEs.
     *
     * @param currentRanks their ranks in this map
     */
    public RankMap without(int... currentRanks) {
        IntStream gone = Arrays.stream(currentRanks).map(this::originalRankOf);
        return new RankMap(originalSize, IntStream.concat(Arrays.stream(absent), gone).sorted().distinct().toArray());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankMap that && originalSize == that.originalSize && Arrays.equals(absent, that.absent);
    }

    @Override
    public int hashCode() {
        return 31 * originalSize + Arrays.hashCode(absent);
    }

    @Override
    public String toString() {
        return size() + " of " + originalSize + " PEs, absent original ranks " + Arrays.toString(absent);
    }
}
