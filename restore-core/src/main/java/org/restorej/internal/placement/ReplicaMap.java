package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntConsumer;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
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
            long first = lost.nextLong();
            if (lostBefore == null || !lostBefore.isLost(placement.rangeOf(first), first)) {
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

    /** Whether the pieces of a range have different holders; otherwise the whole range has those of piece 0. */
    public boolean isCut(int range) {
        return layout != null || isPlacedInPieces(range) || (lostBefore != null && lostBefore.isCut(range));
    }

    private boolean isPlacedInPieces(int range) {
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

    /** Number of pieces of a range that have holders of their own: 1, or as many as the ring cuts it into. */
    public int pieces(int range) {
        return isCut(range) ? ring.pieces() : 1;
    }

    public int pieceOf(int range, long position) {
        return isCut(range) ? ring.pieceOf(range, position) : 0;
    }

    /** First position of a piece; of piece {@code pieces(range)} it is the end of the range. */
    public long firstPosition(int range, int piece) {
        if (isCut(range)) {
            return ring.firstPosition(range, piece);
        }
        return placement.firstPosition(range + piece);
    }

    /**
     * The PEs that have a piece of a range in memory now.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are; 0 means that the piece is lost
     */
    public int holders(int range, int piece, int[] into) {
        if (lostBefore != null && lostBefore.isLost(range, firstPosition(range, piece))) {
            return 0;
        }
        return holdersNow(range, piece, into);
    }

    /** The holders alive of a piece, if it was not lost before. */
    private int holdersNow(int range, int piece, int[] into) {
        int placed = placed(range, piece, into);
        int alive = 0;
        for (int i = 0; i < placed; i++) {
            if (!lostSince.contains(into[i])) {
                into[alive++] = into[i];
            }
        }
        return alive;
    }

    /** Who has a position now, where blocks are coded, or {@link BlockDirectory#LOST}; the cell may be damaged there. */
    public int holderOfPart(long position) {
        int[] holder = new int[placement.replication()];
        int range = placement.rangeOf(position);
        return holders(range, pieceOf(range, position), holder) == 0 ? BlockDirectory.LOST : holder[0];
    }

    /** The PEs that a piece was brought to; some of them may have failed since. */
    private int placed(int range, int piece, int[] into) {
        boolean inPieces = isPlacedInPieces(range);
        if (layout != null) {
            int part = ring.partOf(piece);
            into[0] = inPieces ? repaired.holderOfPart(range, piece, part) : placement.holder(range, part);
            return 1;
        }
        return inPieces
                ? repaired.holders(range, piece, into)
                : placement.aliveHolders(range, FailedRanks.NONE, into);
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

    private boolean isLost(int range, long position) {
        return isLost(range, pieceOf(range, position), new int[placement.replication()]);
    }

    /** Whether nobody has a piece, and, where it is coded, too few other parts are left. */
    private boolean isLost(int range, int piece, int[] holders) {
        return layout == null
                ? holders(range, piece, holders) == 0
                : lostParts(layout, range, piece, holders)[ring.partOf(piece)];
    }

    /** Of the rows that a piece belongs to, which parts nobody has while too few others are left. */
    private boolean[] lostParts(CodedLayout code, int range, int piece, int[] holder) {
        boolean[] lost = lostBefore == null
                ? new boolean[code.parts()]
                : lostBefore.lostParts(code, range, piece, holder);
        boolean[] gone = lost.clone();
        int left = 0;
        for (int part = 0; part < gone.length; part++) {
            gone[part] |= holdersNow(range, ring.pieceOfPart(piece, part), holder) == 0;
            left += gone[part] ? 0 : 1;
        }
        return left < code.dataParts() ? gone : lost;
    }

    /**
     * The runs of positions that a store rank has been given by placement or ring, whether it still has them or not:
     * whole block ranges, and pieces of them. Time {@code O(K)} while nothing was made anew; then that of
     * {@link RepairPlacement#rangesThatMayComeTo}, or {@code O(K * f * g)} where that is less, for f failures and g
     * pieces of a range.
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
            addRun(runs, ring.firstPosition(range, ring.firstPiece(replica)),
                    ring.firstPosition(range, ring.endPiece(replica)));
        }
        addRepairedRanges(storeRank, range -> addPiecesHeldBy(storeRank, range, runs));
        return runs;
    }

    /**
     * Ranges that a store rank may have something of, and of which any replica was ever lost, ascending: all of those
     * that it has something of.
     */
    public IntSortedSet touchedRangesOf(int storeRank) {
        IntSortedSet ranges = new IntAVLTreeSet();
        for (int replica = 0; replica < placement.replication(); replica++) {
            ranges.add(placement.rangeHeldBy(storeRank, replica));
        }
        addRepairedRanges(storeRank, ranges::add);
        ranges.removeIf((int range) -> !wasEverDiminished(range));
        return ranges;
    }

    /** Gives the ranges that a store rank may have pieces of since they were made anew, each once. */
    private void addRepairedRanges(int storeRank, IntConsumer into) {
        // Looking at as many ranges as have lost something takes no longer than so many steps.
        IntSet ranges = repaired.rangesThatMayComeTo(storeRank,
                (long) placement.replication() * placedWithout.size());
        if (ranges == null) {
            rangesOf(placedWithout).forEach(into);
            return;
        }
        ranges.forEach((int range) -> {
            if (isPlacedInPieces(range)) {
                into.accept(range);
            }
        });
    }

    /** Whether a PE that the placement gives a range has ever failed. */
    public boolean wasEverDiminished(int range) {
        return everFailedHolders(range) > 0;
    }

    /** How many of the PEs that the placement gives a range have ever failed. */
    private int everFailedHolders(int range) {
        int failed = 0;
        for (int replica = 0; replica < placement.replication(); replica++) {
            failed += hasEverFailed(placement.holder(range, replica)) ? 1 : 0;
        }
        return failed;
    }

    private boolean hasEverFailed(int storeRank) {
        return placedWithout.contains(storeRank) || lostSince.contains(storeRank)
                || (lostBefore != null && lostBefore.hasEverFailed(storeRank));
    }

    /** Fewer blocks than PEs leave runs empty. */
    private static void addRun(Long2LongSortedMap runs, long first, long end) {
        if (first < end) {
            runs.put(first, end);
        }
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
            if (first == end || (lostBefore != null && lostBefore.isLost(range, first))) {
                continue;
            }
            if (isAmong(storeRank, holders, placed(range, piece, holders))) {
                runs.put(first, end);
            }
        }
    }

    /** How many of a range's holders must fail at least before something of it is lost. */
    private int fewestFailuresUntilLoss() {
        return layout == null ? placement.replication() : layout.parityParts() + 1;
    }

    /** Everybody whose failure has had an influence on where replicas are. */
    public FailedRanks everFailed() {
        FailedRanks here = placedWithout.union(lostSince);
        return lostBefore == null ? here : here.union(lostBefore.everFailed());
    }

    /** Ranges of which the placement gives these ranks a replica, ascending; at most K times as many. */
    public IntSortedSet rangesOf(FailedRanks ranks) {
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
     * Runs of positions whose holders are all gone, and that can't be computed from others either. Time {@code O(K^2 * f)}, and linear in the pieces of the ranges
     * that the placement gives to nobody who was always alive.
     *
     * @return by first position the first one after the run, ascending
     */
    public Long2LongSortedMap lostRuns() {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        int[] holders = new int[placement.replication()];
        IntIterator touched = rangesOf(everFailed()).iterator();
        while (touched.hasNext()) {
            int range = touched.nextInt();
            // Of a range that somebody has always held nothing is lost.
            int pieces = everFailedHolders(range) < fewestFailuresUntilLoss() ? 0 : pieces(range);
            for (int piece = 0; piece < pieces; piece++) {
                long first = firstPosition(range, piece);
                long end = firstPosition(range, piece + 1);
                if (first < end && isLost(range, piece, holders)) {
                    runs.put(first, end);
                }
            }
        }
        return runs;
    }
}
