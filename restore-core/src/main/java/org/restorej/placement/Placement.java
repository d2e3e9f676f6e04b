package org.restorej.placement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The placement of {@code B} blocks without failures: {@code P} block ranges, each on {@code K} store ranks.
 *
 * <p>
 * Range {@code r} is on store ranks {@code (r + j * shift) mod P}, {@code j = 0 .. K - 1}, with
 * {@code shift = floor(P / K)} (Hübner et al., "ReStore: In-Memory REplicated STORagE for Rapid Recovery in
 * Fault-Tolerant Algorithms", 2022, section IV). The first {@code B mod P} ranges have {@code ceil(B / P)} blocks, the
 * others {@code floor(B / P)}. Blocks are identified by their <em>position</em> after a permutation.
 *
 * <p>
 * With failure domains the shift counts seats instead of ranks, and the ranks of a domain have neighbouring seats:
 * range {@code r} is on the ranks at seats {@code (seat(r) + j * shift) mod P}. In both cases rank {@code r} is the
 * first holder of range {@code r}, and every PE holds K ranges.
 *
 * <p>
 * Immutable. Takes 64 bytes for any P and B, plus the order of the domains; every method takes constant time and
 * allocates nothing. Works up to {@code P = 2^25} and {@code B = 10^12}. Ranks and ranges are plain {@code int}s for
 * use in loops; all ranks are store ranks.
 */
public final class Placement {
    private final int peCount;
    private final long blockCount;
    private final int replication;
    private final int shift;
    /** Ranges consist of whole units of this many blocks. */
    private final long unitBlocks;
    private final long shorterRangeBlocks;
    private final int longerRanges;
    private final @Nullable DomainOrder domains;
    /** The same order; null if every seat equals the rank. */
    private final @Nullable DomainOrder seats;

    /**
     * Creates a placement without failure domains.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0; with fewer blocks than PEs some ranges are empty
     * @param replication replication level K, {@code 1 .. P}
     */
    public Placement(int peCount, long blockCount, int replication) {
        this(peCount, blockCount, replication, 1, null);
    }

    /**
     * Creates a placement that puts the replicas of a range into different failure domains as far as possible: into K
     * different ones whenever the largest domain has at most {@code P / K} PEs.
     *
     * @param blockCount number of blocks B, at least 0
     * @param replication replication level K, {@code 1 .. P}
     * @param largestFirst the failure domains of the P PEs: one level, or {@link FailureDomains#nested several}
     */
    public static Placement separating(long blockCount, int replication, FailureDomains... largestFirst) {
        return separating(blockCount, replication, DomainOrder.of(largestFirst));
    }

    static Placement separating(long blockCount, int replication, DomainOrder domains) {
        return new Placement(domains.peCount(), blockCount, replication, 1, domains);
    }

    /**
     * The same placement with each block replaced by {@code factor} blocks; ranges are cut only between the original
     * blocks.
     *
     * @param factor at least 1
     */
    public Placement multipliedBy(long factor) {
        if (factor < 1) {
            throw new IllegalArgumentException("factor must be at least 1: factor=" + factor);
        }
        return new Placement(peCount, Math.multiplyExact(blockCount, factor), replication,
                Math.multiplyExact(unitBlocks, factor), domains);
    }

    /** {@code blockCount} is a multiple of {@code unitBlocks}. */
    private Placement(int peCount, long blockCount, int replication, long unitBlocks, @Nullable DomainOrder domains) {
        if (peCount < 1) {
            throw new IllegalArgumentException("peCount must be at least 1: peCount=" + peCount);
        }
        if (blockCount < 0) {
            throw new IllegalArgumentException("blockCount must be at least 0: blockCount=" + blockCount);
        }
        if (replication < 1 || replication > peCount) {
            throw new IllegalArgumentException("replication must be in 1.." + peCount
                    + ", the number of PEs: replication=" + replication);
        }
        this.peCount = peCount;
        this.blockCount = blockCount;
        this.replication = replication;
        shift = peCount / replication;
        this.unitBlocks = unitBlocks;
        long units = blockCount / unitBlocks;
        shorterRangeBlocks = units / peCount * unitBlocks;
        longerRanges = (int) (units % peCount);
        this.domains = domains;
        seats = domains == null || domains.isOrderOfRanks() ? null : domains;
    }

    /** Number of PEs P, which is also the number of ranges. */
    public int peCount() {
        return peCount;
    }

    /** Number of blocks B. */
    public long blockCount() {
        return blockCount;
    }

    /** Replication level K. */
    public int replication() {
        return replication;
    }

    /** Distance between the holders of a range, {@code floor(P / K)}. */
    public int shift() {
        return shift;
    }

    /**
     * The levels of failure domains that separate the replicas of a range, from the largest domains to the smallest;
     * empty if none were given.
     */
    public List<FailureDomains> domains() {
        return domains == null ? List.of() : domains.levels();
    }

    /** The seat of a store rank: the rank itself, unless failure domains need another order. */
    public int seatOf(int storeRank) {
        return seats == null ? storeRank : seats.seatOf(storeRank);
    }

    /** The store rank at a seat. */
    public int rankAtSeat(int seat) {
        return seats == null ? seat : seats.rankAt(seat);
    }

    /** The range of a position, {@code 0 <= position < B}. */
    public int rangeOf(long position) {
        long longerRangeBlocks = shorterRangeBlocks + unitBlocks;
        long inLongerRanges = longerRanges * longerRangeBlocks;
        return position < inLongerRanges
                ? (int) (position / longerRangeBlocks)
                : longerRanges + (int) ((position - inLongerRanges) / shorterRangeBlocks);
    }

    /** First position of a range, also of an empty one; for range {@code P} it is {@code B}. */
    public long firstPosition(int range) {
        return range * shorterRangeBlocks + Math.min(range, longerRanges) * unitBlocks;
    }

    /** Number of blocks in a range. */
    public long blocksIn(int range) {
        return range < longerRanges ? shorterRangeBlocks + unitBlocks : shorterRangeBlocks;
    }

    /** Store rank of a range's replica {@code 0 <= replica < K}. */
    public int holder(int range, int replica) {
        // The difference is in -P .. P - 1, and correct even if the sum before it has overflowed.
        int seat = seatOf(range) + replica * shift - peCount;
        return rankAtSeat(seat < 0 ? seat + peCount : seat);
    }

    /** The range of which a store rank holds replica {@code 0 <= replica < K}. */
    public int rangeHeldBy(int storeRank, int replica) {
        int seat = seatOf(storeRank) - replica * shift;
        return rankAtSeat(seat < 0 ? seat + peCount : seat);
    }

    /** The index of a store rank among the holders of a range, or -1 when it holds no replica. */
    public int replicaAt(int range, int storeRank) {
        int distance = seatOf(storeRank) - seatOf(range);
        if (distance < 0) {
            distance += peCount;
        }
        return distance % shift == 0 && distance / shift < replication ? distance / shift : -1;
    }

    public boolean isHeldBy(int range, int storeRank) {
        return replicaAt(range, storeRank) >= 0;
    }

    /**
     * The holders of a range that have not failed, in order of their replicas.
     *
     * @param into filled from index 0, at least K long
     * @return their number; 0 means that the range is lost
     */
    public int aliveHolders(int range, FailedRanks failedRanks, int[] into) {
        int alive = 0;
        for (int replica = 0; replica < replication; replica++) {
            int rank = holder(range, replica);
            if (!failedRanks.contains(rank)) {
                into[alive++] = rank;
            }
        }
        return alive;
    }
}
