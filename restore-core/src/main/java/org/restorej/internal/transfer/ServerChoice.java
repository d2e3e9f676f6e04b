package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;

/**
 * Chooses who serves each piece that one PE wants, spreading them evenly over the alive holders.
 *
 * <p>
 * A PE serves itself when it can. A long piece is cut into equal shares for all its holders; a shorter one goes to the
 * holder that has the least to serve of this PE's wishes so far. So a PE's servers differ by at most one piece where
 * its pieces have the same holders, and where PEs want one piece each, they begin with different holders.
 * Deterministic: whoever knows the wishes knows the servers. One thread.
 */
final class ServerChoice {
    /** Cutting pays only as long as a share is a long message: on two cores, from 256 KiB bytes are all that costs. */
    private static final long SHARE_BYTES = 256 << 10;

    /** Takes pieces and who serves them. */
    @FunctionalInterface
    interface ServedPieceConsumer {
        /** Takes one piece; the server is a store rank, or -1 when nobody alive holds the piece. */
        void accept(int server, long position, long count, long slot);
    }

    private final int requester;
    private final long blockSizeBytes;
    private final ServedPieceConsumer consumer;
    private final Int2LongOpenHashMap blocksOf = new Int2LongOpenHashMap();

    /** A choice for one PE's wishes, from their beginning. */
    ServerChoice(int requester, long blockSizeBytes, ServedPieceConsumer consumer) {
        this.requester = requester;
        this.blockSizeBytes = blockSizeBytes;
        this.consumer = consumer;
    }

    /**
     * Chooses for one piece.
     *
     * @param holders store ranks of the PEs alive that have it
     * @param holderCount how many there are
     */
    void accept(int[] holders, int holderCount, long position, long count, long slot) {
        if (holderCount == 0) {
            consumer.accept(-1, position, count, slot);
        } else if (contains(holders, holderCount)) {
            consumer.accept(requester, position, count, slot);
        } else if (count / holderCount >= Math.max(1, SHARE_BYTES / blockSizeBytes)) {
            share(holders, holderCount, position, count, slot);
        } else {
            serve(leastLoaded(holders, holderCount), position, count, slot);
        }
    }

    private boolean contains(int[] holders, int holderCount) {
        for (int i = 0; i < holderCount; i++) {
            if (holders[i] == requester) {
                return true;
            }
        }
        return false;
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

    private void share(int[] holders, int holderCount, long position, long count, long slot) {
        long done = 0;
        for (int i = 0; i < holderCount; i++) {
            long share = count / holderCount + (i < count % holderCount ? 1 : 0);
            serve(holders[i], position + done, share, slot + done);
            done += share;
        }
    }

    private void serve(int server, long position, long count, long slot) {
        blocksOf.addTo(server, count);
        consumer.accept(server, position, count, slot);
    }
}
