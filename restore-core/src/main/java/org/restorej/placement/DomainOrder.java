package org.restorej.placement;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.List;

/**
 * An order of the PEs in which those of a failure domain are neighbours. A {@link Placement} in this order puts the K
 * replicas of every range into K different domains whenever that is possible.
 *
 * <p>
 * Domains may be nested, such as nodes in racks: the nodes of a rack are neighbours, and so are the ranks of a node.
 * Each PE has a <em>seat</em> {@code 0 .. P - 1}. Domains are seated in the order of their first ranks, so if ranks
 * fill one node after the other, every seat equals the rank.
 *
 * <p>
 * <b>Guarantee.</b> Let m be the number of PEs in the largest domain of a level. The holders of a range sit
 * {@code floor(P / K)} apart, and no closer across the end, because {@code P - (K - 1) floor(P / K) >= floor(P / K)}. A
 * domain is at most m neighbouring seats, so it has at most one holder when {@code m <= floor(P / K)}, that is,
 * {@code m K <= P}. Conversely, each PE holds K ranges in any order, so m PEs hold m K replicas. If that is more than
 * P, two of them are of one range, and no order can do better. If K divides P, a larger domain has at most
 * {@code ceil(m K / P)} replicas of a range, which by the same count is the minimum.
 *
 * <p>
 * Immutable; 8 bytes a PE and 8 more for each level. The same on every PE that is given the same labels.
 */
final class DomainOrder {
    /** From the largest domains to the smallest. */
    private final List<FailureDomains> levels;
    private final int[] rankAt;
    private final int[] seatOf;

    private DomainOrder(List<FailureDomains> levels) {
        this.levels = List.copyOf(levels);
        int peCount = levels.getFirst().peCount();
        rankAt = new int[peCount];
        Arrays.setAll(rankAt, rank -> rank);
        IntArrays.mergeSort(rankAt, this::compareRanks);
        seatOf = new int[peCount];
        for (int seat = 0; seat < peCount; seat++) {
            seatOf[rankAt[seat]] = seat;
        }
    }

    /**
     * Creates the order for nested domains. Takes time {@code O(P log P)}.
     *
     * @param largestFirst as in {@link FailureDomains#nested}
     */
    static DomainOrder of(FailureDomains... largestFirst) {
        return new DomainOrder(FailureDomains.nested(largestFirst));
    }

    private int compareRanks(int a, int b) {
        for (FailureDomains level : levels) {
            int order = Integer.compare(level.domainOf(a), level.domainOf(b));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a, b);
    }

    /** Number of PEs P. */
    int peCount() {
        return rankAt.length;
    }

    /** The levels of domains, from the largest domains to the smallest. */
    List<FailureDomains> levels() {
        return levels;
    }

    /** The store rank at a seat. */
    int rankAt(int seat) {
        return rankAt[seat];
    }

    /** The seat of a store rank. */
    int seatOf(int storeRank) {
        return seatOf[storeRank];
    }

    /** Whether every seat equals the rank, so that the order changes nothing. */
    boolean isOrderOfRanks() {
        for (int seat = 0; seat < rankAt.length; seat++) {
            if (rankAt[seat] != seat) {
                return false;
            }
        }
        return true;
    }
}
