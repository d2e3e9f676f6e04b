package org.restorej.balance;

import java.util.Arrays;
import org.restorej.placement.FailedRanks;

/**
 * The ranks that have not failed, in ascending order, derived from the failed ones. Memory linear in the failures.
 * Immutable.
 */
final class AliveRanks {
    private final int peCount;
    private final int[] failed;

    AliveRanks(int peCount, FailedRanks failedRanks) {
        this.peCount = peCount;
        failed = failedRanks.values();
    }

    /** Number of ranks that have not failed. */
    int count() {
        return peCount - failed.length;
    }

    /**
     * Number of ranks below {@code rank} that have not failed, {@code 0 <= rank <= P}; time logarithmic in the
     * failures.
     */
    int below(int rank) {
        int found = Arrays.binarySearch(failed, rank);
        return rank - (found >= 0 ? found : -found - 1);
    }

    /**
     * The {@code index}-th rank that has not failed, {@code 0 <= index < count()}; time logarithmic in the failures.
     */
    int at(int index) {
        int low = 0;
        int high = failed.length;
        // Finds the number of failed ranks below the result: those with at most index surviving ranks below them.
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (failed[middle] - middle <= index) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return index + low;
    }
}
