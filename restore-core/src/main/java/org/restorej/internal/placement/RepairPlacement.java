package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.List;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * The holders of every block after all replicas lost to some failures were re-created where a {@link ReplicaRing}
 * places them.
 *
 * <p>
 * The holders of a piece are the survivors among its K holders by the placement, and as many new ones as are missing.
 * New ones are found along the ring from the point of the piece. Without failure domains they are the next survivors.
 * With failure domains they are PEs whose rack has no holder yet, while there is such a rack; then PEs whose node has
 * no holder yet; then any. So the holders lie in the maximum number of different domains. The price is balance: if a
 * domain must hold a replica, its survivors share the load, however few they are.
 *
 * <p>
 * A holder of a piece keeps it when other PEs fail. Proof: list the survivors that are no holders by the placement,
 * sorted by the largest kind of domain of which the PE is the first without a holder along the ring, then by place on
 * the ring. The new holders are the first PEs of this list. When a PE fails, at most one other PE moves forward in the
 * list: the next one of the smallest domain that the failed PE represented. If the failed PE was a holder, there is
 * space for one more new holder, so the PE that moves forward displaces no other. If it was none, it was after all
 * holders in the list, and the PE that moves forward comes no further than its place.
 *
 * <p>
 * Immutable. Memory is constant, once more for each kind of domain.
 */
public final class RepairPlacement {
    private final ReplicaRing ring;
    private final Placement placement;
    private final FailedRanks failedRanks;
    /** Kinds of domains, from the largest. */
    private final List<FailureDomains> levels;
    /** Number of domains of each kind with a survivor, and last the number of survivors. */
    private final int[] aliveDomains;

    /** Takes time linear in the failures if the placement has failure domains, otherwise constant time. */
    public RepairPlacement(ReplicaRing ring, FailedRanks failedRanks) {
        this.ring = ring;
        this.failedRanks = failedRanks;
        placement = ring.placement();
        levels = placement.domains();
        aliveDomains = new int[levels.size() + 1];
        for (int level = 0; level < levels.size(); level++) {
            aliveDomains[level] = aliveDomains(levels.get(level), failedRanks);
        }
        aliveDomains[levels.size()] = placement.peCount() - failedRanks.size();
    }

    private static int aliveDomains(FailureDomains domains, FailedRanks failedRanks) {
        Int2IntOpenHashMap failed = new Int2IntOpenHashMap();
        for (int rank : failedRanks.values()) {
            failed.addTo(domains.domainOf(rank), 1);
        }
        int alive = domains.domainCount();
        for (Int2IntMap.Entry domain : failed.int2IntEntrySet()) {
            alive -= domain.getIntValue() == domains.size(domain.getIntKey()) ? 1 : 0;
        }
        return alive;
    }

    FailedRanks failedRanks() {
        return failedRanks;
    }

    /**
     * The holders of a piece: the survivors among the {@code K} of the placement, then new ones, {@code K} in all or as
     * many as there are survivors. More failures only replace those holders that failed.
     *
     * <p>
     * Takes expected time {@code O(K^2 * P / s)}, where s is the number of survivors in domains without a holder of the
     * piece, or, if there are none, of all survivors.
     *
     * @param into filled from index 0, at least K long
     * @return their number
     */
    public int holders(int range, int piece, int[] into) {
        int found = placement.aliveHolders(range, failedRanks, into);
        int wanted = Math.min(placement.replication(), aliveDomains[levels.size()]);
        for (int level = 0; level <= levels.size() && found < wanted; level++) {
            found = addFromNewDomains(level, ring.startOf(range, piece), wanted, into, found);
        }
        return found;
    }

    /**
     * The holder of one part of a piece's rows, if each holder has its own part: that of the placement if it has not
     * failed, else one of the new ones, in ascending order of parts. With fewer survivors than parts, some have
     * several.
     *
     * @param piece of this part or another one of the same rows
     */
    int holderOfPart(int range, int piece, int part) {
        int original = placement.holder(range, part);
        if (!failedRanks.contains(original)) {
            return original;
        }
        int[] holders = new int[placement.replication()];
        int found = holders(range, piece, holders);
        int lostBefore = 0;
        for (int other = 0; other < part; other++) {
            lostBefore += failedRanks.contains(placement.holder(range, other)) ? 1 : 0;
        }
        // After the surviving original holders; from the first holder again if there are not enough.
        int alive = placement.aliveHolders(range, failedRanks, new int[placement.replication()]);
        return holders[(alive + lostBefore) % found];
    }

    /** After the last level, each PE is its own domain. */
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
