package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Chooses who serves each piece that one PE wants, spreading them evenly over the alive holders.
 *
 * <p>
 * A PE serves itself when it can. A long piece is cut into equal shares for all its holders; a shorter one goes to the
 * holder that has the least to serve of this PE's pieces so far. So a PE's servers differ by at most one piece where
 * its pieces have the same holders, and where PEs want one piece each, they begin with different holders.
 * Deterministic: whoever knows what a PE wants knows its servers. One thread.
 */
final class ServerChoice {
    /** Cutting pays only as long as a share is a long message: on two cores, from 256 KiB bytes are all that costs. */
    private static final long SHARE_BYTES = 256 << 10;

    private final int requester;
    private final long minShareBlocks;
    private final int[] servers;
    private final long[] counts;
    private final Int2LongOpenHashMap blocksOf = new Int2LongOpenHashMap();

    /**
     * A choice for all pieces of one PE, from the first one.
     *
     * @param requester store rank of the PE
     * @param blockSizeBytes about the size of a block
     * @param maxHolders most holders of a piece
     */
    ServerChoice(int requester, long blockSizeBytes, int maxHolders) {
        this.requester = requester;
        minShareBlocks = Math.max(1, SHARE_BYTES / blockSizeBytes);
        servers = new int[maxHolders];
        counts = new long[maxHolders];
    }

    /**
     * Chooses for the next piece.
     *
     * @param holders store ranks of the PEs alive that have it
     * @param holderCount how many there are
     * @param count blocks of the piece
     * @return in how many shares it is served, one after the other; 0 when nobody can
     */
    int choose(int[] holders, int holderCount, long count) {
        if (holderCount == 0) {
            return 0;
        }
        if (ReplicaMap.isAmong(requester, holders, holderCount)) {
            servers[0] = requester;
            counts[0] = count;
            return 1;
        }
        if (count / holderCount < minShareBlocks) {
            serve(0, leastLoaded(holders, holderCount), count);
            return 1;
        }
        for (int share = 0; share < holderCount; share++) {
            serve(share, holders[share], count / holderCount + (share < count % holderCount ? 1 : 0));
        }
        return holderCount;
    }

    /** Store rank of who serves a share of the piece chosen for last. */
    int server(int share) {
        return servers[share];
    }

    /** Number of blocks of a share of the piece chosen for last. */
    long count(int share) {
        return counts[share];
    }

    private int leastLoaded(int[] holders, int holderCount) {
        int best = holders[Math.floorMod(requester, holderCount)];
        for (int i = 1; i < holderCount; i++) {
            int candidate = holders[Math.floorMod(requester + i, holderCount)];
            if (blocksOf.get(candidate) < blocksOf.get(best)) {
                best = candidate;
            }
        }
        return best;
    }

    private void serve(int share, int server, long count) {
        servers[share] = server;
        counts[share] = count;
        blocksOf.addTo(server, count);
    }
}
