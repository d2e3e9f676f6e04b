package org.restorej.internal.placement;

/**
 * Where a lost replica goes: a consistent-hashing ring (Karger et al. 1997) on which every PE has {@code g} points.
 *
 * <p>
 * A block range is cut into {@code g} slices; slice {@code i} of range {@code r} starts at point {@code i} of PE
 * {@code r}, and its lost replicas go to the owners of the points that follow, leaving out the dead and those that hold
 * the slice already; with failure domains first those in whose domain nobody holds it ({@link RepairPlacement}). The
 * ring is a {@link FeistelPermutation} of the {@code P * g} points: computed, not stored, so it takes no memory and
 * every PE finds the same one from the seed. Immutable.
 */
public final class ReplicaRing {
    private final Placement placement;
    private final int pointsPerPe;
    private final FeistelPermutation positions;

    /**
     * The ring of a placement.
     *
     * @param placement where the replicas are before any failure
     * @param pointsPerPe points g of each PE on the ring and slices of each range, at least 1; more of them spread the
     *        load of a dead PE over more survivors
     * @param seed chooses the ring
     */
    public ReplicaRing(Placement placement, int pointsPerPe, long seed) {
        if (pointsPerPe < 1) {
            throw new IllegalArgumentException("pointsPerPe must be at least 1: pointsPerPe=" + pointsPerPe);
        }
        this.placement = placement;
        this.pointsPerPe = pointsPerPe;
        positions = new FeistelPermutation((long) placement.peCount() * pointsPerPe, seed);
    }

    /** The placement underneath. */
    public Placement placement() {
        return placement;
    }

    /** Number of slices of a range. */
    public int slices() {
        return pointsPerPe;
    }

    /** First position of a slice; of slice {@code slices()} it is the end of the range. */
    public long firstPosition(int range, int slice) {
        long blocks = placement.blocksIn(range);
        // blocks * slice / pointsPerPe, without overflow.
        return placement.firstPosition(range) + blocks / pointsPerPe * slice
                + blocks % pointsPerPe * slice / pointsPerPe;
    }

    /**
     * The slice of its range that a position lies in,
     * {@code firstPosition(range) <= position < firstPosition(range + 1)}.
     */
    public int sliceOf(int range, long position) {
        long blocks = placement.blocksIn(range);
        long offset = position - placement.firstPosition(range);
        // An estimate from the mean length of a slice, at most one slice off because of rounding.
        int slice = (int) Math.min(pointsPerPe - 1L, (long) ((double) offset / blocks * pointsPerPe));
        while (slice > 0 && firstPosition(range, slice) > position) {
            slice--;
        }
        while (firstPosition(range, slice + 1) <= position) {
            slice++;
        }
        return slice;
    }

    /**
     * Who holds what once every replica lost to these failures has been made anew. Takes time linear in the failures
     * where the placement knows failure domains, and none otherwise.
     */
    public RepairPlacement without(FailedRanks failedRanks) {
        return new RepairPlacement(this, failedRanks);
    }

    /** Number of points on the ring. */
    long points() {
        return positions.size();
    }

    /** Where on the ring the search for new holders of a slice begins, that point excluded. */
    long startOf(int range, int slice) {
        return positions.apply((long) range * pointsPerPe + slice);
    }

    /** The PE that owns a point. */
    int ownerOf(long point) {
        return (int) (positions.invert(point) / pointsPerPe);
    }
}
