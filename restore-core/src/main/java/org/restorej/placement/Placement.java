package org.restorej.placement;

/**
 * Where blocks live: {@code B} blocks in {@code P} block ranges, each on {@code K} original ranks.
 *
 * <p>
 * Range {@code r} lives on original ranks {@code (r + j * shift) mod P}, {@code j = 0 .. K - 1}, with
 * {@code shift = floor(P / K)} (Hübner et al., "ReStore: In-Memory REplicated STORagE for Rapid Recovery in
 * Fault-Tolerant Algorithms", 2022, section IV). The first {@code B mod P} ranges have {@code ceil(B / P)} blocks, the
 * others {@code floor(B / P)}. Blocks are addressed here by their <em>position</em> after a {@link RangePermutation}.
 *
 * <p>
 * Immutable, 40 bytes whatever P and B; every method takes constant time and allocates nothing. Holds up at
 * {@code P = 2^25} and {@code B = 10^12}. Ranks and ranges are plain {@code int}s for use in loops; they are original
 * ranks throughout.
 */
public final class Placement {
    private final int peCount;
    private final long blockCount;
    private final int replication;
    private final int shift;
    private final long shorterRangeBlocks;
    private final int longerRanges;

    /**
     * The placement of a data set.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0; with fewer blocks than PEs some ranges are empty
     * @param replication replication level K, {@code 1 .. P}
     */
    public Placement(int peCount, long blockCount, int replication) {
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
        shorterRangeBlocks = blockCount / peCount;
        longerRanges = (int) (blockCount % peCount);
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

    /** The range that a position lies in, {@code 0 <= position < B}. */
    public int rangeOf(long position) {
        long inLongerRanges = longerRanges * (shorterRangeBlocks + 1);
        return position < inLongerRanges
                ? (int) (position / (shorterRangeBlocks + 1))
                : longerRanges + (int) ((position - inLongerRanges) / shorterRangeBlocks);
    }

    /** First position of a range, also of an empty one; of range {@code P} it is {@code B}. */
    public long firstPosition(int range) {
        return range * shorterRangeBlocks + Math.min(range, longerRanges);
    }

    /** Number of blocks in a range. */
    public long blocksIn(int range) {
        return range < longerRanges ? shorterRangeBlocks + 1 : shorterRangeBlocks;
    }

    /** Original rank of a range's replica {@code 0 <= replica < K}. */
    public int holder(int range, int replica) {
        // int arithmetic: range < P and replica * shift <= P - shift, so the sum stays below 2^31 for P up to 2^30.
        int rank = range + replica * shift;
        return rank >= peCount ? rank - peCount : rank;
    }

    /** The range of which an original rank holds replica {@code 0 <= replica < K}. */
    public int rangeHeldBy(int originalRank, int replica) {
        int range = originalRank - replica * shift;
        return range < 0 ? range + peCount : range;
    }

    /** Which replica of a range an original rank holds, or -1 when it holds none. */
    public int replicaAt(int range, int originalRank) {
        int distance = originalRank - range;
        if (distance < 0) {
            distance += peCount;
        }
        return distance % shift == 0 && distance / shift < replication ? distance / shift : -1;
    }

    public boolean isHeldBy(int range, int originalRank) {
        return replicaAt(range, originalRank) >= 0;
    }

    /**
     * The holders of a range that are alive, in order of their replicas.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are; 0 means that the range is lost
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
