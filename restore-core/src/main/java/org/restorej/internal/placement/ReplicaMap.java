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
 * The places of one generation's replicas after failures and replenishments. A pure function of the placement, the ring
 * and two sets of failed ranks, so every PE computes the same without messages.
 *
 * <p>
 * A range without failed holders is on the K holders of the placement. A range with re-created replicas is divided into
 * the pieces of the ring, each with its own holders. Replicas lost since then are missing.
 *
 * <p>
 * Memory is linear in the number of failures, once more for each replenishment before which data were lost: those must
 * be remembered. Immutable.
 */
public final class ReplicaMap {
    private final Placement placement;
    private final ReplicaRing ring;
    /** Layout of coded blocks; null if every holder of a range has all of it. */
    private final @Nullable CodedLayout layout;
    /** The ranks that had failed when the replicas were last placed by {@code ring}. */
    private final FailedRanks placedWithout;
    /** The placement at that time. */
    private final RepairPlacement repaired;
    /** The ranks that have failed since, or lost their memory. */
    private final FailedRanks lostSince;

    /** The places before a replenishment that could not re-create all replicas; null if there was none. */
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

    /** Replicas that were placed after these failures, all of them present. */
    public static ReplicaMap placedWithout(Placement placement, ReplicaRing ring, FailedRanks failedRanks) {
        return new ReplicaMap(placement, ring, new RepairPlacement(ring, failedRanks), FailedRanks.NONE, null);
    }

    /** The places after these ranks lost their replicas. */
    public ReplicaMap lost(FailedRanks ranks) {
        return new ReplicaMap(placement, ring, repaired, lostSince.union(ranks.minus(placedWithout)), lostBefore);
    }

    /**
     * The places after all replicas that can be re-created were; lost data stay lost. This object if no replica was
     * lost since the last placement.
     *
     * @param failedRanks the ranks that have failed now
     */
    public ReplicaMap replenished(FailedRanks failedRanks) {
        if (lostSince.isEmpty() && placedWithout.equals(failedRanks)) {
            return this;
        }
        return new ReplicaMap(placement, ring, new RepairPlacement(ring, failedRanks), FailedRanks.NONE,
                hasLostMore() ? this : lostBefore);
    }

    /** Whether data were lost since the last replenishment. */
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

    /** Whether the pieces of a range have different holders. Otherwise the whole range has the same. */
    private boolean isCut(int range) {
        return layout != null || isRepaired(range) || (lostBefore != null && lostBefore.isCut(range));
    }

    /** Whether replicas of a range were re-created, on holders that the ring determines piece by piece. */
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

    /** The first position after a position that may have other holders, {@code 0 <= position < B}. */
    public long end(long position) {
        int range = placement.rangeOf(position);
        return isCut(range)
                ? ring.firstPosition(range, ring.pieceOf(range, position) + 1)
                : placement.firstPosition(range + 1);
    }

    /**
     * The PEs that now hold a position and all following ones up to {@link #end}.
     *
     * @param into filled from index 0, at least K long
     * @return their number; 0 if the positions are lost
     */
    public int holders(long position, int[] into) {
        return lostBefore != null && lostBefore.isLost(position) ? 0 : holdersNow(position, into);
    }

    /** The surviving holders of a position, if it was not lost before. */
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

    /** The PEs on which a position was placed. Some of them may have failed since. */
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

    /** The present holder of a position of coded blocks, or {@link BlockDirectory#LOST}. The cell may be damaged. */
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

    /** Whether a position has no holder, and, if coded, too few other parts of its row are left. */
    private boolean isLost(long position) {
        int[] holders = new int[placement.replication()];
        return layout == null
                ? holders(position, holders) == 0
                : lostParts(layout, layout.rowOf(position), holders)[layout.partOf(position)];
    }

    /** The parts of a row that have no holder, while too few others are left. */
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
     * The runs of positions that placement or ring assign to a store rank, whether it still has them or not: whole
     * block ranges, and pieces of them. Takes time {@code O(K)} before the first replenishment, then
     * {@code O(K^2 * f * g)} for f failures and g pieces of a range.
     *
     * @param storeRank the PE; -1, for a PE without a store rank, holds nothing
     * @return first position to first position after the run, ascending
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
            // With fewer blocks than PEs some runs are empty.
            if (first < end) {
                runs.put(first, end);
            }
        }
        rangesOf(placedWithout).forEach((int range) -> addPiecesHeldBy(storeRank, range, runs));
        return runs;
    }

    /** Adds pieces of a range that a PE has in addition to those of the placement. */
    private void addPiecesHeldBy(int storeRank, int range, Long2LongSortedMap runs) {
        int[] holders = new int[placement.replication()];
        int replica = placement.replicaAt(range, storeRank);
        for (int piece = 0; piece < ring.pieces(); piece++) {
            if (replica >= 0 && ring.firstPiece(replica) <= piece && piece < ring.endPiece(replica)) {
                continue;
            }
            long first = ring.firstPosition(range, piece);
            long end = ring.firstPosition(range, piece + 1);
            // The first position of an empty piece is that of another piece, or of none.
            if (first < end && (lostBefore == null || !lostBefore.isLost(first))
                    && isAmong(storeRank, holders, placed(first, holders))) {
                runs.put(first, end);
            }
        }
    }

    /** All ranks whose failure has influenced the places of replicas. */
    public FailedRanks everFailed() {
        FailedRanks here = placedWithout.union(lostSince);
        return lostBefore == null ? here : here.union(lostBefore.everFailed());
    }

    /** Ranges of which the placement assigns a replica to these ranks, ascending; at most K times as many. */
    public IntSet rangesOf(FailedRanks ranks) {
        int[] ranges = new int[ranks.size() * placement.replication()];
        int count = 0;
        for (int rank : ranks.values()) {
            for (int replica = 0; replica < placement.replication(); replica++) {
                ranges[count++] = placement.rangeHeldBy(rank, replica);
            }
        }
        Arrays.sort(ranges);
        // Keeps the order of insertion without sorting: there may be tens of thousands.
        return new IntLinkedOpenHashSet(ranges);
    }

    /**
     * Runs of positions that have no holder and can't be computed from others either. Takes time {@code O(K^2 * f)},
     * and time linear in the pieces of the ranges all of whose holders by the placement have failed at some time.
     *
     * @return first position to first position after the run, ascending
     */
    public Long2LongSortedMap lostRuns() {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        FailedRanks everFailed = everFailed();
        rangesOf(everFailed).forEach((int range) -> {
            // A range with enough holders that never failed has lost nothing.
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

    /** Minimum number of a range's holders that must fail before any of its data are lost. */
    private int fewestFailuresUntilLoss() {
        return layout == null ? placement.replication() : layout.parityParts() + 1;
    }

    /** Number of failed PEs among a range's holders by the placement. */
    private int failedHolders(int range, FailedRanks failedRanks) {
        return placement.replication() - placement.aliveHolders(range, failedRanks, new int[placement.replication()]);
    }
}
