package org.restorej.cli.risk;

import org.restorej.placement.Placement;

/**
 * The exact probability that random failures of PEs lose a block range, without replenishment.
 *
 * <p>
 * Where K divides P, the holders of a range are those of K - 1 others too: {@code P / K} disjoint groups, and the
 * probability is
 * {@code sum over j = 1 .. f / K of (-1)^(j + 1) C(P / K, j) C(P - jK, f - jK) / C(P, f)} (Hübner et al., "ReStore:
 * In-Memory REplicated STORagE for Rapid Recovery in Fault-Tolerant Algorithms", 2022, section IV). Where it does not,
 * the holders of a range overlap with those of others, but stepping from holder to holder leads around
 * {@code gcd(P, floor(P / K))} cycles, less than K of them, and a range is lost when K neighbours on a cycle have
 * failed: counted by inclusion-exclusion too, so there is an exact answer for every P and K. As there are P sets of
 * holders instead of {@code P / K}, an unlikely loss is then up to K times as likely.
 *
 * <p>
 * Takes every range to have blocks, so with fewer blocks than PEs it is an upper bound. Immutable; holds up at P =
 * 2^25.
 */
public final class LossProbability {
    private final Placement placement;
    private final int cycles;
    private final CyclicRuns runs;

    /**
     * The risk of a placement.
     *
     * @param peCount number of PEs P, at least 1
     * @param replication replication level K, {@code 1 .. P}
     */
    public LossProbability(int peCount, int replication) {
        placement = new Placement(peCount, peCount, replication);
        cycles = cycles(placement);
        runs = new CyclicRuns(peCount, cycles, peCount / cycles, replication);
    }

    /** Number of cycles on which stepping by the shift leads around. */
    static int cycles(Placement placement) {
        return greatestCommonDivisor(placement.peCount(), placement.shift());
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /**
     * Probability that something is lost when this many random PEs have failed, at once or one after the other; right
     * to the last digits of a double. Takes a few milliseconds.
     *
     * @param failures number of failed PEs, {@code 0 .. P}
     */
    public double afterFailures(int failures) {
        return runs.probability(failures);
    }

    /**
     * Expected number of failures, one random PE after the other, until something is lost, the last one included:
     * {@code (P + 1) * product over i = 1 .. P / K of iK / (iK + 1)} where K divides P, relative error below 1e-10, and
     * otherwise a numerical integral, relative error below 1e-7. Time {@code O(P / K)}.
     */
    public double expectedFailuresUntilLoss() {
        int peCount = placement.peCount();
        int replication = placement.replication();
        if (peCount % replication != 0) {
            return new IndependentDeaths(peCount, cycles, peCount / cycles, replication).expectedFailuresUntilLoss();
        }
        double expected = peCount + 1.0;
        for (long slot = replication; slot <= peCount; slot += replication) {
            expected *= slot / (slot + 1.0);
        }
        return expected;
    }
}
