package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Chooses the server of each piece that one PE requests, and distributes them evenly over the surviving holders.
 *
 * <p>
 * A PE serves itself if it can. A long piece is split into equal shares for all its holders. A shorter one goes to the
 * holder with the fewest blocks of this PE's pieces so far. So the loads of a PE's servers differ by at most one piece
 * if its pieces have the same holders, and PEs that request one piece each start with different holders. Deterministic:
 * the servers follow from what a PE requests. Not thread-safe.
 */
final class ServerChoice {
    /**
     * Splitting pays only if a share is a long message: on two cores, from 256 KiB on the cost is proportional to the
     * bytes.
     */
    private static final long SHARE_BYTES = 256 << 10;

    private final int requester;
    private final long minShareBlocks;
    private final int[] servers;
    private final long[] counts;
    private final Int2LongOpenHashMap blocksOf = new Int2LongOpenHashMap();

    /**
     * Starts the choice for the pieces of one PE.
     *
     * @param requester store rank of the PE
     * @param blockSizeBytes approximate size of a block
     * @param maxHolders maximum number of holders of a piece
     */
    ServerChoice(int requester, long blockSizeBytes, int maxHolders) {
        this.requester = requester;
        minShareBlocks = Math.max(1, SHARE_BYTES / blockSizeBytes);
        servers = new int[maxHolders];
        counts = new long[maxHolders];
    }

    /**
     * Chooses servers for the next piece.
     *
     * @param holders store ranks of the surviving PEs that have it
     * @param holderCount number of holders
     * @param count number of blocks in the piece
     * @return number of consecutive shares in which it is served; 0 if it has no holder
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

    /** Store rank of the server of a share of the last piece. */
    int server(int share) {
        return servers[share];
    }

    /** Number of blocks in a share of the last piece. */
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
