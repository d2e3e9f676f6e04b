package org.restorej.balance;

import java.util.Arrays;
import org.restorej.placement.FailedRanks;

/** The ranks alive in ascending order, by the failed ones alone: memory is linear in these. Immutable. */
final class AliveRanks {
    private final int peCount;
    private final int[] failed;

    AliveRanks(int peCount, FailedRanks failedRanks) {
        this.peCount = peCount;
        failed = failedRanks.values();
    }

    /** How many are alive. */
    int count() {
        return peCount - failed.length;
    }

    /** How many of those below a rank are alive, {@code 0 <= rank <= P}; logarithmic in the failures. */
    int below(int rank) {
        int found = Arrays.binarySearch(failed, rank);
        return rank - (found >= 0 ? found : -found - 1);
    }

    /** The rank alive below which so many are, {@code 0 <= index < count()}; logarithmic in the failures. */
    int at(int index) {
        int low = 0;
        int high = failed.length;
        // Of the failed ranks those lie below it below which no more than index are alive.
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
