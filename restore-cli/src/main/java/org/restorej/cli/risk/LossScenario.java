package org.restorej.cli.risk;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * What {@link LossSimulator} tries again and again: domains of PEs fail at random, some at once, until something is
 * lost or so many have failed. Immutable.
 *
 * @param placement who holds what; ranges without blocks can't be lost
 * @param domains what fails together; of the same PEs
 * @param maxFailures a trial ends with this many failed domains, from 1 to all of them
 * @param failuresAtOnce after this many a replenishment makes the lost replicas anew; at least 1
 * @param ring where they go; null for none: then it doesn't matter how many fail at once
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

    /** Domains fail one by one without replenishment. */
    public static LossScenario of(Placement placement, FailureDomains domains) {
        return new LossScenario(placement, domains, domains.domainCount(), 1, null);
    }

    /** The same with trials that end earlier. */
    public LossScenario upTo(int failures) {
        return new LossScenario(placement, domains, failures, failuresAtOnce, ring);
    }

    /**
     * The same with replenishment.
     *
     * @param failures how many fail before lost replicas are made anew
     * @param replicaRing where they go
     */
    public LossScenario replenishedAfter(int failures, ReplicaRing replicaRing) {
        return new LossScenario(placement, domains, maxFailures, failures, replicaRing);
    }
}
