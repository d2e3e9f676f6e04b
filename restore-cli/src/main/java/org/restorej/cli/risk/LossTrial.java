package org.restorej.cli.risk;

import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/** One trial of a scenario: random domains fail until the placement shows a loss. Not thread-safe. */
final class LossTrial {
    private final LossScenario scenario;
    private final FailureDomains domains;
    private final Placement placement;
    private final RandomGenerator random;
    private final BitSet failedDomains;
    private final BitSet failed;

    LossTrial(LossScenario scenario, RandomGenerator random) {
        this.scenario = scenario;
        this.random = random;
        domains = scenario.domains();
        placement = scenario.placement();
        failedDomains = new BitSet(domains.domainCount());
        failed = new BitSet(placement.peCount());
    }

    /**
     * Number of failed domains at the first loss, counting all that fail at once; one more than the maximum if nothing
     * was lost.
     */
    int failuresUntilLoss() {
        ReplicaRing ring = scenario.ring();
        return ring == null ? withoutReplenishment() : withReplenishment(ring);
    }

    private int withoutReplenishment() {
        for (int failures = 1; failures <= scenario.maxFailures(); failures++) {
            if (hasTakenTheLastReplica(failAnother())) {
                return failures;
            }
        }
        return scenario.maxFailures() + 1;
    }

    /**
     * Makes a random domain fail that has not failed yet. Takes at most K draws on average: before more than
     * {@code 1 - 1 / K} of all domains have failed, data are lost.
     */
    private int failAnother() {
        int domain;
        do {
            domain = random.nextInt(domains.domainCount());
        } while (failedDomains.get(domain));
        failedDomains.set(domain);
        for (int i = domains.start(domain); i < domains.start(domain + 1); i++) {
            failed.set(domains.rankAt(i));
        }
        return domain;
    }

    private boolean hasTakenTheLastReplica(int domain) {
        for (int i = domains.start(domain); i < domains.start(domain + 1); i++) {
            if (hasHadTheLastReplica(domains.rankAt(i))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasHadTheLastReplica(int originalRank) {
        for (int replica = 0; replica < placement.replication(); replica++) {
            int range = placement.rangeHeldBy(originalRank, replica);
            if (placement.blocksIn(range) > 0 && isLost(range)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLost(int range) {
        for (int replica = 0; replica < placement.replication(); replica++) {
            if (!failed.get(placement.holder(range, replica))) {
                return false;
            }
        }
        return true;
    }

    private int withReplenishment(ReplicaRing ring) {
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE);
        int failures = 0;
        while (failures < scenario.maxFailures()) {
            int before = failures;
            failures = Math.min(scenario.maxFailures(), failures + scenario.failuresAtOnce());
            for (int failure = before; failure < failures; failure++) {
                failAnother();
            }
            FailedRanks ranks = FailedRanks.of(failed.stream().toArray());
            replicaMap = replicaMap.lost(ranks);
            if (hasLost(replicaMap)) {
                return failures;
            }
            // Equals replenished(ranks), which would search again for losses; there are none.
            replicaMap = ReplicaMap.placedWithout(placement, ring, ranks);
        }
        return scenario.maxFailures() + 1;
    }

    private static boolean hasLost(ReplicaMap replicaMap) {
        return !replicaMap.lostRuns().isEmpty();
    }
}
