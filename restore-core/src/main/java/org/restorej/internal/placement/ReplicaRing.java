package org.restorej.internal.placement;

import org.jspecify.annotations.Nullable;
import org.restorej.placement.Placement;

/**
 * Determines the new holders of lost replicas: a consistent-hashing ring (Karger et al. 1997) on which every PE has
 * {@code g} points.
 *
 * <p>
 * A block range is divided into {@code g} pieces. Piece {@code i} of range {@code r} starts at point {@code i} of PE
 * {@code r}. Its lost replicas go to the owners of the following points, except failed PEs and PEs that already hold
 * the piece. With failure domains, PEs whose domain has no holder come first ({@link RepairPlacement}). The ring is a
 * {@link RangePermutation} of the {@code P * g} points. It is computed, not stored: it takes no memory, and every PE
 * derives the same ring from the seed. Immutable.
 */
public final class ReplicaRing {
    private final Placement placement;
    private final @Nullable CodedLayout layout;
    private final int pointsPerPe;
    private final RangePermutation positions;

    /**
     * The ring of a placement.
     *
     * @param placement the places of replicas before any failure
     * @param pointsPerPe points g of each PE on the ring and pieces of each range, at least 1; more points spread the
     *        load of a failed PE over more survivors
     * @param seed seed of the ring
     */
    public ReplicaRing(Placement placement, int pointsPerPe, long seed) {
        this(placement, null, pointsPerPe, seed);
    }

    /** The ring for coded blocks. A range's pieces are those of its parts, divided between rows. */
    public ReplicaRing(CodedLayout layout, int pointsPerPe, long seed) {
        this(layout.placement(), layout, pointsPerPe, seed);
    }

    private ReplicaRing(Placement placement, @Nullable CodedLayout layout, int pointsPerPe, long seed) {
        if (pointsPerPe < 1) {
            throw new IllegalArgumentException("pointsPerPe must be at least 1: pointsPerPe=" + pointsPerPe);
        }
        this.placement = placement;
        this.layout = layout;
        this.pointsPerPe = pointsPerPe;
        positions = RangePermutation.feistel((long) placement.peCount() * pointsPerPe, 1, seed);
    }

    public Placement placement() {
        return placement;
    }

    /** Layout of coded blocks; null if each holder of a range has all of it. */
    public @Nullable CodedLayout layout() {
        return layout;
    }

    /** Number of pieces of a range. */
    public int pieces() {
        return layout == null ? pointsPerPe : layout.parts() * pointsPerPe;
    }

    /** The part to which a piece belongs, for coded blocks. */
    int partOf(int piece) {
        return piece / pointsPerPe;
    }

    /** First row of a piece, for coded blocks. */
    long firstRow(CodedLayout coded, int range, int piece) {
        return coded.firstRow(range) + share(coded.rowsIn(range), piece);
    }

    /** First of the pieces of a range that its holder of a replica has initially. */
    int firstPiece(int replica) {
        return layout == null ? 0 : replica * pointsPerPe;
    }

    /** First piece of a range after those. */
    int endPiece(int replica) {
        return layout == null ? pointsPerPe : (replica + 1) * pointsPerPe;
    }

    /** First position of a piece; for piece {@code pieces()} the end of the range. */
    public long firstPosition(int range, int piece) {
        if (layout == null) {
            return placement.firstPosition(range) + share(placement.blocksIn(range), piece);
        }
        long rows = layout.rowsIn(range);
        return placement.firstPosition(range)
                + (partOf(piece) * rows + share(rows, piece % pointsPerPe)) * layout.cellBlocks();
    }

    /** {@code count * piece / pointsPerPe}, without overflow. */
    private long share(long count, int piece) {
        return count / pointsPerPe * piece + count % pointsPerPe * piece / pointsPerPe;
    }

    /**
     * The piece of its range that contains a position,
     * {@code firstPosition(range) <= position < firstPosition(range + 1)}.
     */
    public int pieceOf(int range, long position) {
        long offset = position - placement.firstPosition(range);
        if (layout == null) {
            return shareOf(placement.blocksIn(range), offset);
        }
        long rows = layout.rowsIn(range);
        long cell = offset / layout.cellBlocks();
        return (int) (cell / rows) * pointsPerPe + shareOf(rows, cell % rows);
    }

    /** The piece {@code i} for which {@code share(i) <= offset < share(i + 1)}. */
    private int shareOf(long count, long offset) {
        // An estimate from the mean length of a piece, at most one piece off because of rounding.
        int piece = (int) Math.min(pointsPerPe - 1L, (long) ((double) offset / count * pointsPerPe));
        while (piece > 0 && share(count, piece) > offset) {
            piece--;
        }
        while (share(count, piece + 1) <= offset) {
            piece++;
        }
        return piece;
    }

    long points() {
        return (long) placement.peCount() * pointsPerPe;
    }

    /** The point on the ring after which the search for new holders of a piece begins. */
    long startOf(int range, int piece) {
        return positions.positionOf((long) range * pointsPerPe + piece % pointsPerPe);
    }

    int ownerOf(long point) {
        return (int) (positions.blockAt(point) / pointsPerPe);
    }
}
