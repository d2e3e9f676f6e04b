package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.List;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * Who holds what once every replica lost to some failures has been made anew where a {@link ReplicaRing} wants it.
 *
 * <p>
 * The holders of a piece are those of its K holders by the placement that are alive. As many as are missing then are
 * found on the way along the ring from the point of the piece. Without failure domains they are the next PEs alive.
 * With failure domains they are PEs whose rack has no holder yet, as long as there is such a rack; then PEs whose node
 * has no holder yet; then anyone. So the holders lie in as many different domains as they can. The price is balance:
 * what a domain must have is shared by those of it that are alive, however few.
 *
 * <p>
 * Whoever holds a piece keeps it when other PEs fail. To see why, list the PEs alive that are no holders by the
 * placement: sorted by the largest kind of domain of which the PE is the first without a holder on the way along the
 * ring, then by place on the ring. The new holders are the first PEs of this list. When a PE fails, at most one other
 * PE moves forward in it: the next one of the smallest domain that the failed PE had stood for. If the failed PE was a
 * holder, there is room for one more new holder, so the PE that moves forward drives nobody out. If it was none, its
 * place in the list was behind all holders, and the PE that moves forward comes no further than that.
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

    /** Takes time linear in the failures where the placement knows failure domains, and none otherwise. */
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
     * The PEs that hold a piece: the alive among the {@code K} of the placement, then new ones, {@code K} in all or as
     * many as are alive. Adding failures only replaces the failed ones among them.
     *
     * <p>
     * Expected time {@code O(K^2 * P / s)}, s being the number of PEs that are alive and, as long as there are any, in
     * domains without a holder of the piece.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are
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
     * The PE that holds one part of a piece's rows, where each holder has a part of its own: that of the placement if it
     * is alive, else one of the new ones, in ascending order of parts. Where fewer PEs are alive than there are parts,
     * some have several.
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
        // Behind the original holders alive; again from the first holder where there are not enough.
        int alive = placement.aliveHolders(range, failedRanks, new int[placement.replication()]);
        return holders[(alive + lostBefore) % found];
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
