package org.restorej.cli.risk;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * The scenario of a {@link LossSimulator}: random domains of ranks fail, some at once, until something is lost or a
 * maximum number has failed. Immutable.
 *
 * @param placement of the blocks; ranges without blocks can't be lost
 * @param domains of the same ranks; the ranks of a domain fail together
 * @param maxFailures a trial ends with this many failed domains, from 1 to all of them
 * @param failuresAtOnce number of failures before each replenishment; at least 1
 * @param ring selects holders of re-replicated replicas; null for no replenishment, where {@code failuresAtOnce} is
 *        ignored
 */
public record LossScenario(Placement placement, FailureDomains domains, int maxFailures, int failuresAtOnce,
        @Nullable ReplicaRing ring) {
    /** Checks the numbers. */
    public LossScenario {
        domains.checkSamePes(placement);
        if (maxFailures < 1 || maxFailures > domains.domainCount()) {
            throw new IllegalArgumentException("maxFailures must be in 1.." + domains.domainCount()
                    + ", the number of failure domains: maxFailures=" + maxFailures);
        }
        if (failuresAtOnce < 1) {
            throw new IllegalArgumentException("failuresAtOnce must be at least 1: failuresAtOnce=" + failuresAtOnce);
        }
    }

    /** Domains fail one by one, without replenishment. */
    public static LossScenario of(Placement placement, FailureDomains domains) {
        return new LossScenario(placement, domains, domains.domainCount(), 1, null);
    }

    /** The same scenario with another maximum number of failures. */
    public LossScenario upTo(int failures) {
        return new LossScenario(placement, domains, failures, failuresAtOnce, ring);
    }

    /**
     * The same scenario with replenishment.
     *
     * @param failures number of failures before each replenishment
     * @param replicaRing selects holders of re-replicated replicas
     */
    public LossScenario replenishedAfter(int failures, ReplicaRing replicaRing) {
        return new LossScenario(placement, domains, maxFailures, failures, replicaRing);
    }
}
