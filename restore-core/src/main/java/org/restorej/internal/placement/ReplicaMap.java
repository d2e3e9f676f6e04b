package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import it.unimi.dsi.fastutil.longs.LongIterator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * Where the replicas of one generation really are, after failures and replenishments: a pure function of the placement,
 * the ring and two sets of failed ranks, so every PE computes the same and nothing is communicated.
 *
 * <p>
 * A range that has lost nothing is on the K holders that the placement names. A range of which replicas were made anew is
 * cut into the pieces of the ring, each with holders of its own. What failed since then is missing.
 *
 * <p>
 * Memory is linear in the number of failures, once more for each replenishment that came too late for something: what
 * was lost then must be known for ever. Immutable.
 */
public final class ReplicaMap {
    private final Placement placement;
    private final ReplicaRing ring;
    /** How blocks are coded; null where every holder of a range has all of it. */
    private final @Nullable CodedLayout layout;
    /** Who had failed when the replicas were last brought to where {@code ring} wants them. */
    private final FailedRanks placedWithout;
    /** Where that is. */
    private final RepairPlacement repaired;
    /** Who has failed since, or lost its memory. */
    private final FailedRanks lostSince;

    /** Where replicas were before a replenishment that came too late for some; null when it did for none. */
    private final @Nullable ReplicaMap lostBefore;

    private ReplicaMap(Placement placement, ReplicaRing ring, RepairPlacement repaired, FailedRanks lostSince,
            @Nullable ReplicaMap lostBefore) {
        this.placement = placement;
        this.ring = ring;
        layout = ring.layout();
        this.repaired = repaired;
        placedWithout = repaired.failedRanks();
        this.lostSince = lostSince;
        this.lostBefore = lostBefore;
    }

    /** Replicas placed while these ranks had failed, all of them still there. */
    public static ReplicaMap placedWithout(Placement placement, ReplicaRing ring, FailedRanks failedRanks) {
        return new ReplicaMap(placement, ring, new RepairPlacement(ring, failedRanks), FailedRanks.NONE, null);
    }

    /** The same after these ranks have lost what they held. */
    public ReplicaMap lost(FailedRanks ranks) {
        return new ReplicaMap(placement, ring, repaired, lostSince.union(ranks.minus(placedWithout)), lostBefore);
    }

    /**
     * Where replicas are once all that can be made anew have been; what is lost stays lost. This very object, when
     * nothing has been lost since the replicas were placed.
     *
     * @param failedRanks who has failed now
     */
    public ReplicaMap replenished(FailedRanks failedRanks) {
        if (lostSince.isEmpty() && placedWithout.equals(failedRanks)) {
            return this;
        }
        return new ReplicaMap(placement, ring, new RepairPlacement(ring, failedRanks), FailedRanks.NONE,
                hasLostMore() ? this : lostBefore);
    }

    /** Whether anything is lost that was not so before the last replenishment. */
    private boolean hasLostMore() {
        LongIterator lost = lostRuns().keySet().iterator();
        while (lost.hasNext()) {
            if (lostBefore == null || !lostBefore.isLost(lost.nextLong())) {
                return true;
            }
        }
        return false;
    }

    public Placement placement() {
        return placement;
    }

    public ReplicaRing ring() {
        return ring;
    }

    /** Whether the pieces of a range have different holders; otherwise the whole range has the same. */
    private boolean isCut(int range) {
        return layout != null || isRepaired(range) || (lostBefore != null && lostBefore.isCut(range));
    }

    /** Whether replicas of a range were made anew, on holders that the ring names piece by piece. */
    private boolean isRepaired(int range) {
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

    /** The first position behind a position that may have other holders, {@code 0 <= position < B}. */
    public long end(long position) {
        int range = placement.rangeOf(position);
        return isCut(range)
                ? ring.firstPosition(range, ring.pieceOf(range, position) + 1)
                : placement.firstPosition(range + 1);
    }

    /**
     * The PEs that have a position, and all from there to {@link #end}, in memory now.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are; 0 means that they are lost
     */
    public int holders(long position, int[] into) {
        return lostBefore != null && lostBefore.isLost(position) ? 0 : holdersNow(position, into);
    }

    /** The holders alive of a position, if it was not lost before. */
    private int holdersNow(long position, int[] into) {
        int placed = placed(position, into);
        int alive = 0;
        for (int i = 0; i < placed; i++) {
            if (!lostSince.contains(into[i])) {
                into[alive++] = into[i];
            }
        }
        return alive;
    }

    /** The PEs that a position was brought to; some of them may have failed since. */
    private int placed(long position, int[] into) {
        int range = placement.rangeOf(position);
        boolean inPieces = isRepaired(range);
        if (layout != null) {
            int part = layout.partOf(position);
            into[0] = inPieces
                    ? repaired.holderOfPart(range, ring.pieceOf(range, position), part)
                    : placement.holder(range, part);
            return 1;
        }
        return inPieces
                ? repaired.holders(range, ring.pieceOf(range, position), into)
                : placement.aliveHolders(range, FailedRanks.NONE, into);
    }

    /** Who has a position now, where blocks are coded, or {@link BlockDirectory#LOST}; the cell may be damaged there. */
    public int holderOfPart(long position) {
        int[] holder = new int[placement.replication()];
        return holders(position, holder) == 0 ? BlockDirectory.LOST : holder[0];
    }

    /** Whether a store rank is among the first {@code count} holders. */
    public static boolean isAmong(int storeRank, int[] holders, int count) {
        for (int i = 0; i < count; i++) {
            if (holders[i] == storeRank) {
                return true;
            }
        }
        return false;
    }

    /** Whether nobody has a position, and, where it is coded, too few other parts of its row are left. */
    private boolean isLost(long position) {
        int[] holders = new int[placement.replication()];
        return layout == null
                ? holders(position, holders) == 0
                : lostParts(layout, layout.rowOf(position), holders)[layout.partOf(position)];
    }

    /** Which parts of a row nobody has while too few others are left. */
    private boolean[] lostParts(CodedLayout code, long row, int[] holder) {
        boolean[] lost = lostBefore == null ? new boolean[code.parts()] : lostBefore.lostParts(code, row, holder);
        boolean[] gone = lost.clone();
        int left = 0;
        for (int part = 0; part < gone.length; part++) {
            gone[part] |= holdersNow(code.cell(row, part), holder) == 0;
            left += gone[part] ? 0 : 1;
        }
        return left < code.dataParts() ? gone : lost;
    }

    /**
     * The runs of positions that a store rank has been given by placement or ring, whether it still has them or not:
     * whole block ranges, and pieces of them. Time {@code O(K)} while nothing was made anew, then {@code O(K^2 * f * g)}
     * for f failures and g pieces of a range.
     *
     * @param storeRank the PE; -1, for one that has no store rank, holds nothing
     * @return by first position the first one after the run, ascending
     */
    public Long2LongSortedMap runsHeldBy(int storeRank) {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        if (storeRank < 0 || placedWithout.contains(storeRank)) {
            return runs;
        }
        for (int replica = 0; replica < placement.replication(); replica++) {
            int range = placement.rangeHeldBy(storeRank, replica);
            long first = ring.firstPosition(range, ring.firstPiece(replica));
            long end = ring.firstPosition(range, ring.endPiece(replica));
            // Fewer blocks than PEs leave runs empty.
            if (first < end) {
                runs.put(first, end);
            }
        }
        rangesOf(placedWithout).forEach((int range) -> addPiecesHeldBy(storeRank, range, runs));
        return runs;
    }

    /** Adds what a PE has been given of a range besides what the placement gives it. */
    private void addPiecesHeldBy(int storeRank, int range, Long2LongSortedMap runs) {
        int[] holders = new int[placement.replication()];
        int replica = placement.replicaAt(range, storeRank);
        for (int piece = 0; piece < ring.pieces(); piece++) {
            if (replica >= 0 && ring.firstPiece(replica) <= piece && piece < ring.endPiece(replica)) {
                continue;
            }
            long first = ring.firstPosition(range, piece);
            long end = ring.firstPosition(range, piece + 1);
            // The position of an empty piece is that of another one, or of none.
            if (first < end && (lostBefore == null || !lostBefore.isLost(first))
                    && isAmong(storeRank, holders, placed(first, holders))) {
                runs.put(first, end);
            }
        }
    }

    /** Everybody whose failure has had an influence on where replicas are. */
    public FailedRanks everFailed() {
        FailedRanks here = placedWithout.union(lostSince);
        return lostBefore == null ? here : here.union(lostBefore.everFailed());
    }

    /** Ranges of which the placement gives these ranks a replica, ascending; at most K times as many. */
    public IntSet rangesOf(FailedRanks ranks) {
        int[] ranges = new int[ranks.size() * placement.replication()];
        int count = 0;
        for (int rank : ranks.values()) {
            for (int replica = 0; replica < placement.replication(); replica++) {
                ranges[count++] = placement.rangeHeldBy(rank, replica);
            }
        }
        Arrays.sort(ranges);
        // In the order in which they are added: there may be tens of thousands.
        return new IntLinkedOpenHashSet(ranges);
    }

    /**
     * Runs of positions whose holders are all gone, and that can't be computed from others either. Time
     * {@code O(K^2 * f)}, and linear in the pieces of the ranges that the placement gives to nobody who was always alive.
     *
     * @return by first position the first one after the run, ascending
     */
    public Long2LongSortedMap lostRuns() {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        FailedRanks everFailed = everFailed();
        rangesOf(everFailed).forEach((int range) -> {
            // Of a range that enough have always held nothing is lost.
            if (failedHolders(range, everFailed) >= fewestFailuresUntilLoss()) {
                addLostRuns(range, runs);
            }
        });
        return runs;
    }

    private void addLostRuns(int range, Long2LongSortedMap runs) {
        long rangeEnd = placement.firstPosition(range + 1);
        long first = placement.firstPosition(range);
        while (first < rangeEnd) {
            long end = end(first);
            if (isLost(first)) {
                runs.put(first, end);
            }
            first = end;
        }
    }

    /** How many of a range's holders must fail at least before something of it is lost. */
    private int fewestFailuresUntilLoss() {
        return layout == null ? placement.replication() : layout.parityParts() + 1;
    }

    /** How many of the PEs that the placement gives a range have failed. */
    private int failedHolders(int range, FailedRanks failedRanks) {
        return placement.replication() - placement.aliveHolders(range, failedRanks, new int[placement.replication()]);
    }
}
