package org.restorej.balance;

import java.util.Arrays;
import org.restorej.placement.FailedRanks;

/**
 * The speed of each PE, in any common unit: a PE of twice the speed gets twice the work. Immutable; eight bytes a PE.
 */
final class PeSpeeds {
    private final double[] speeds;

    private PeSpeeds(double[] speeds) {
        this.speeds = speeds;
        if (speeds.length == 0) {
            throw new IllegalArgumentException("speeds must be those of at least 1 PE: there are none");
        }
        for (int rank = 0; rank < speeds.length; rank++) {
            if (!(speeds[rank] >= Weights.MIN && speeds[rank] <= Weights.GREATEST)) {
                throw new IllegalArgumentException("a speed must be in " + Weights.ALLOWED + ": speed of store rank "
                        + rank + " is " + speeds[rank]);
            }
        }
    }

    /**
     * The speeds of store ranks 0, 1, and so on.
     *
     * @param speeds of all PEs, including failed ones, whose speeds don't count; the same values on every PE, so
     *        measured ones must be exchanged before; between 1e-100 and 1e100
     */
    static PeSpeeds of(double... speeds) {
        return new PeSpeeds(speeds.clone());
    }

    /** The same speed for all PEs. */
    static PeSpeeds equal(int peCount) {
        if (peCount < 1) {
            throw new IllegalArgumentException("peCount must be at least 1: peCount=" + peCount);
        }
        double[] speeds = new double[peCount];
        Arrays.fill(speeds, 1);
        return new PeSpeeds(speeds);
    }

    /** Number of store ranks P. */
    int peCount() {
        return speeds.length;
    }

    double of(int storeRank) {
        return speeds[storeRank];
    }

    /** The share of some work for each store rank; 0 for failed PEs. */
    double[] sharesOf(double work, FailedRanks failedRanks) {
        double sum = 0;
        for (int rank = 0; rank < speeds.length; rank++) {
            sum += failedRanks.contains(rank) ? 0 : speeds[rank];
        }
        double[] shares = new double[speeds.length];
        for (int rank = 0; rank < speeds.length; rank++) {
            shares[rank] = failedRanks.contains(rank) ? 0 : work * (speeds[rank] / sum);
        }
        return shares;
    }
}
