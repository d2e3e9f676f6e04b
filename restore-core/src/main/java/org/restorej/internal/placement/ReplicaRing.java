package org.restorej.internal.placement;

import org.restorej.placement.Placement;

/**
 * Where a lost replica goes: a consistent-hashing ring (Karger et al. 1997) on which every PE has {@code g} points.
 *
 * <p>
 * A block range is cut into {@code g} pieces; piece {@code i} of range {@code r} starts at point {@code i} of PE
 * {@code r}, and its lost replicas go to the owners of the points that follow, leaving out failed PEs and those that
 * hold the piece already; with failure domains first those in whose domain nobody holds it ({@link RepairPlacement}).
 * The ring is a {@link RangePermutation} of the {@code P * g} points: computed, not stored, so it takes no memory and
 * every PE finds the same one from the seed. Immutable.
 */
public final class ReplicaRing {
    private final Placement placement;
    private final int pointsPerPe;
    private final RangePermutation positions;

    /**
     * The ring of a placement.
     *
     * @param placement where the replicas are before any failure
     * @param pointsPerPe points g of each PE on the ring and pieces of each range, at least 1; more of them spread the
     *        load of a failed PE over more survivors
     * @param seed chooses the ring
     */
    public ReplicaRing(Placement placement, int pointsPerPe, long seed) {
        if (pointsPerPe < 1) {
            throw new IllegalArgumentException("pointsPerPe must be at least 1: pointsPerPe=" + pointsPerPe);
        }
        this.placement = placement;
        this.pointsPerPe = pointsPerPe;
        positions = RangePermutation.feistel((long) placement.peCount() * pointsPerPe, 1, seed);
    }

    public Placement placement() {
        return placement;
    }

    /** Number of pieces of a range. */
    public int pieces() {
        return pointsPerPe;
    }

    /** First position of a piece; of piece {@code pieces()} it is the end of the range. */
    public long firstPosition(int range, int piece) {
        long blocks = placement.blocksIn(range);
        // blocks * piece / pointsPerPe, without overflow.
        return placement.firstPosition(range) + blocks / pointsPerPe * piece
                + blocks % pointsPerPe * piece / pointsPerPe;
    }

    /**
     * The piece of its range that a position lies in,
     * {@code firstPosition(range) <= position < firstPosition(range + 1)}.
     */
    public int pieceOf(int range, long position) {
        long blocks = placement.blocksIn(range);
        long offset = position - placement.firstPosition(range);
        // An estimate from the mean length of a piece, at most one piece off because of rounding.
        int piece = (int) Math.min(pointsPerPe - 1L, (long) ((double) offset / blocks * pointsPerPe));
        while (piece > 0 && firstPosition(range, piece) > position) {
            piece--;
        }
        while (firstPosition(range, piece + 1) <= position) {
            piece++;
        }
        return piece;
    }

    long points() {
        return (long) placement.peCount() * pointsPerPe;
    }

    /** Where on the ring the search for new holders of a piece begins, that point excluded. */
    long startOf(int range, int piece) {
        return positions.positionOf((long) range * pointsPerPe + piece);
    }

    int ownerOf(long point) {
        return (int) (positions.blockAt(point) / pointsPerPe);
    }
}
