package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.List;

/**
 * Who holds what once every replica lost to some failures has been made anew where a {@link ReplicaRing} wants it.
 *
 * <p>
 * Those of a slice's K holders by the placement that are alive, then owners of the points that follow the slice's on
 * the ring. With failure domains, as long as there is one left without a holder of the slice, only owners in such
 * domains count: racks first, then nodes, then anyone. So a slice has holders in as many different domains as it can, K
 * where K are alive. The price is balance: what a domain must have is shared by those of it that are alive, however
 * few.
 *
 * <p>
 * Whoever holds a slice keeps it when others fail. Sort the alive by the largest kind of domain of which they are the
 * first on the way along the ring, then by their place on it: new holders are a beginning of this list. When one PE
 * dies, at most one PE outside of that beginning gets before one inside, the next of the dead one's smallest domain
 * that had no other holder; and one place more has become free, or the dead was not in the beginning, and nobody inside
 * is overtaken.
 *
 * <p>
 * Immutable; memory constant, once more for each kind of domain.
 */
public final class RepairPlacement {
    private final ReplicaRing ring;
    private final Placement placement;
    private final FailedRanks failedRanks;
    /** Kinds of domains, from the largest. */
    private final List<FailureDomains> levels;
    /** Number of domains of each kind in which somebody is alive, and at the end of PEs alive. */
    private final int[] aliveDomains;

    RepairPlacement(ReplicaRing ring, FailedRanks failedRanks) {
        this.ring = ring;
        this.failedRanks = failedRanks;
        placement = ring.placement();
        DomainOrder domains = placement.domains();
        levels = domains == null ? List.of() : domains.levels();
        aliveDomains = new int[levels.size() + 1];
        for (int level = 0; level < levels.size(); level++) {
            aliveDomains[level] = aliveDomains(levels.get(level), failedRanks);
        }
        aliveDomains[levels.size()] = placement.peCount() - failedRanks.size();
    }

    private static int aliveDomains(FailureDomains domains, FailedRanks failedRanks) {
        Int2IntOpenHashMap dead = new Int2IntOpenHashMap();
        failedRanks.values().forEach((int rank) -> dead.addTo(domains.domainOf(rank), 1));
        int alive = domains.domainCount();
        for (Int2IntMap.Entry domain : dead.int2IntEntrySet()) {
            alive -= domain.getIntValue() == domains.size(domain.getIntKey()) ? 1 : 0;
        }
        return alive;
    }

    /** The failures. */
    FailedRanks failedRanks() {
        return failedRanks;
    }

    /** Where the replicas are before any failure. */
    Placement placement() {
        return placement;
    }

    /** Number of slices of a range. */
    int slices() {
        return ring.slices();
    }

    /**
     * The PEs that hold a slice: the alive among the {@code K} of the placement, then new ones, {@code K} in all or as
     * many as are alive. Adding failures only replaces the dead among them.
     *
     * <p>
     * Expected time {@code O(K^2 * P / s)}, s being the number of PEs that are alive and, as long as there are any, in
     * domains without a holder of the slice.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are
     */
    public int holders(int range, int slice, int[] into) {
        int found = placement.aliveHolders(range, failedRanks, into);
        int wanted = Math.min(placement.replication(), aliveDomains[levels.size()]);
        for (int level = 0; level <= levels.size() && found < wanted; level++) {
            found = addFromNewDomains(level, ring.startOf(range, slice), wanted, into, found);
        }
        return found;
    }

    /** Beyond the last level everybody is a domain. */
    private int addFromNewDomains(int level, long start, int wanted, int[] into, int alreadyFound) {
        int found = alreadyFound;
        int newDomains = aliveDomains[level] - distinctDomains(level, into, found);
        long point = start;
        while (found < wanted && newDomains > 0) {
            point = point + 1 == ring.points() ? 0 : point + 1;
            int candidate = ring.ownerOf(point);
            if (!failedRanks.contains(candidate) && !isInDomainOfOthers(level, candidate, into, found)) {
                into[found++] = candidate;
                newDomains--;
            }
        }
        return found;
    }

    private int distinctDomains(int level, int[] ranks, int count) {
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            distinct += isInDomainOfOthers(level, ranks[i], ranks, i) ? 0 : 1;
        }
        return distinct;
    }

    private boolean isInDomainOfOthers(int level, int rank, int[] others, int count) {
        int domain = domainOf(level, rank);
        for (int i = 0; i < count; i++) {
            if (domainOf(level, others[i]) == domain) {
                return true;
            }
        }
        return false;
    }

    private int domainOf(int level, int rank) {
        return level == levels.size() ? rank : levels.get(level).domainOf(rank);
    }
}
