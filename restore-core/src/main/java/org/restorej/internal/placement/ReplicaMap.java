package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the replicas of one generation really are, after failures and replenishments: a pure function of the placement,
 * the ring and two sets of failed ranks, so every PE computes the same and nothing is communicated.
 *
 * <p>
 * Memory is linear in the number of failures, once more for each replenishment that came too late for something: what
 * was lost then must be known for ever. Immutable.
 */
public final class ReplicaMap {
    private final Placement placement;
    private final ReplicaRing ring;
    /** Who was dead when the replicas were last brought to where {@code ring} wants them. */
    private final FailedRanks placedWithout;
    /** Where that is. */
    private final RepairPlacement healed;
    /** Who has died since, or lost its memory. */
    private final FailedRanks lostSince;

    /** Where replicas were before a replenishment that came too late for some; null when it did for none. */
    private final @Nullable ReplicaMap lostBefore;

    private ReplicaMap(Placement placement, ReplicaRing ring, RepairPlacement healed, FailedRanks lostSince,
            @Nullable ReplicaMap lostBefore) {
        this.placement = placement;
        this.ring = ring;
        this.healed = healed;
        placedWithout = healed.failedRanks();
        this.lostSince = lostSince;
        this.lostBefore = lostBefore;
    }

    /** Replicas placed while these ranks were dead, all of them still there. */
    public static ReplicaMap placedWithout(Placement placement, ReplicaRing ring, FailedRanks failedRanks) {
        return new ReplicaMap(placement, ring, ring.without(failedRanks), FailedRanks.NONE, null);
    }

    /** The same after these ranks have lost what they held. */
    public ReplicaMap lost(FailedRanks ranks) {
        return new ReplicaMap(placement, ring, healed, lostSince.union(ranks.minus(placedWithout)), lostBefore);
    }

    /**
     * Where replicas are once all that can be made anew have been; what is lost stays lost. This very object, when
     * nothing has been lost since the replicas were placed.
     *
     * @param failedRanks who is dead now
     */
    public ReplicaMap replenished(FailedRanks failedRanks) {
        if (lostSince.isEmpty() && placedWithout.equals(failedRanks)) {
            return this;
        }
        return new ReplicaMap(placement, ring, ring.without(failedRanks), FailedRanks.NONE,
                hasLostMore() ? this : lostBefore);
    }

    /** Whether anything is lost that was not so before the last replenishment. */
    private boolean hasLostMore() {
        boolean[] more = new boolean[1];
        forEachLostPart((first, end) -> more[0] |= lostBefore == null
                || !lostBefore.isLost(placement.rangeOf(first), first));
        return more[0];
    }

    /** The placement underneath. */
    public Placement placement() {
        return placement;
    }

    /** The ring underneath. */
    public ReplicaRing ring() {
        return ring;
    }

    /** Who was dead when the replicas were placed. */
    public FailedRanks placedWithout() {
        return placedWithout;
    }

    /** Who has lost its replicas since they were placed. */
    public FailedRanks lostSince() {
        return lostSince;
    }

    /** Whether all replicas that are left are where the placement itself has put them. */
    public boolean isAsPlaced() {
        return placedWithout.isEmpty() && lostBefore == null;
    }

    /** Whether the slices of a range have different holders; otherwise the whole range has those of slice 0. */
    public boolean isSliced(int range) {
        return isPlacedInSlices(range) || (lostBefore != null && lostBefore.isSliced(range));
    }

    private boolean isPlacedInSlices(int range) {
        if (placedWithout.isEmpty()) {
            return false;
        }
        for (int replica = 0; replica < placement.replication(); replica++) {
            if (placedWithout.contains(placement.holder(range, replica))) {
                return true;
            }
        }
        return false;
    }

    /** Number of parts of a range that have holders of their own: 1, or the number of slices. */
    public int parts(int range) {
        return isSliced(range) ? ring.slices() : 1;
    }

    /** The part of a range that a position lies in. */
    public int partOf(int range, long position) {
        return isSliced(range) ? ring.sliceOf(range, position) : 0;
    }

    /** First position of a part; of part {@code parts(range)} it is the end of the range. */
    public long firstPosition(int range, int part) {
        if (isSliced(range)) {
            return ring.firstPosition(range, part);
        }
        return placement.firstPosition(range + part);
    }

    /**
     * The PEs that have a part of a range in memory now.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are; 0 means that the part is lost
     */
    public int holders(int range, int part, int[] into) {
        if (lostBefore != null && lostBefore.isLost(range, firstPosition(range, part))) {
            return 0;
        }
        int placed = isPlacedInSlices(range)
                ? healed.holders(range, part, into)
                : placement.aliveHolders(range, FailedRanks.NONE, into);
        int alive = 0;
        for (int i = 0; i < placed; i++) {
            if (!lostSince.contains(into[i])) {
                into[alive++] = into[i];
            }
        }
        return alive;
    }

    private boolean isLost(int range, long position) {
        return holders(range, partOf(range, position), new int[placement.replication()]) == 0;
    }

    /** Takes the positions {@code first .. end - 1} of a part. */
    @FunctionalInterface
    public interface PartConsumer {
        /** Takes one part. */
        void accept(long firstPosition, long end);
    }

    /**
     * All parts that a store rank has been given by placement or ring, whether it still has them or not, in no
     * particular order. Time {@code O(K + K * f * g)} for f failures and g slices.
     *
     * @param originalRank the PE; -1, for one that has no store rank, holds nothing
     */
    public void forEachPartHeldBy(int originalRank, PartConsumer consumer) {
        if (originalRank < 0 || placedWithout.contains(originalRank)) {
            return;
        }
        for (int replica = 0; replica < placement.replication(); replica++) {
            int range = placement.rangeHeldBy(originalRank, replica);
            consumer.accept(placement.firstPosition(range), placement.firstPosition(range + 1));
        }
        rangesOf(placedWithout).forEach((int range) -> {
            if (!placement.isHeldBy(range, originalRank)) {
                acceptSlicesHeldBy(originalRank, range, consumer);
            }
        });
    }

    private void acceptSlicesHeldBy(int originalRank, int range, PartConsumer consumer) {
        int[] holders = new int[placement.replication()];
        for (int slice = 0; slice < ring.slices(); slice++) {
            if (lostBefore != null && lostBefore.isLost(range, ring.firstPosition(range, slice))) {
                continue;
            }
            int count = healed.holders(range, slice, holders);
            for (int i = 0; i < count; i++) {
                if (holders[i] == originalRank) {
                    consumer.accept(ring.firstPosition(range, slice), ring.firstPosition(range, slice + 1));
                }
            }
        }
    }

    /** Everybody whose death has had an influence on where replicas are. */
    public FailedRanks everFailed() {
        FailedRanks here = placedWithout.union(lostSince);
        return lostBefore == null ? here : here.union(lostBefore.everFailed());
    }

    /** Ranges of which the placement gives these ranks a replica, ascending; at most K times as many. */
    public IntSortedSet rangesOf(FailedRanks ranks) {
        IntSortedSet ranges = new IntAVLTreeSet();
        ranks.values().forEach((int rank) -> {
            for (int replica = 0; replica < placement.replication(); replica++) {
                ranges.add(placement.rangeHeldBy(rank, replica));
            }
        });
        return ranges;
    }

    /**
     * Positions whose holders are all gone, as parts in ascending order. Time {@code O(K * f * g)}.
     */
    public void forEachLostPart(PartConsumer consumer) {
        int[] holders = new int[placement.replication()];
        rangesOf(everFailed()).forEach((int range) -> {
            for (int part = 0; part < parts(range); part++) {
                long first = firstPosition(range, part);
                long end = firstPosition(range, part + 1);
                if (first < end && holders(range, part, holders) == 0) {
                    consumer.accept(first, end);
                }
            }
        });
    }
}
