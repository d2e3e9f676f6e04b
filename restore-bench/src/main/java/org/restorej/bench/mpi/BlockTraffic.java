package org.restorej.bench.mpi;

import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** Which bytes a store's operations move between which PEs, for rivals that are to move the same. Pure arithmetic. */
final class BlockTraffic {
    private BlockTraffic() {}

    /** Blocks of a range of the placement that are among some. */
    private static long blocksIn(ReStore store, int range, BlockRange blocks) {
        return store.blocksIn(range).intersect(BlockRanges.of(blocks)).blockCount();
    }

    /** Bytes that the submitter of blocks sends to each PE: a copy to each holder. */
    static long[] sentBySubmit(ReStore store, BlockRange blocks) {
        Placement placement = store.placement();
        long[] sent = new long[placement.peCount()];
        for (int range = 0; range < placement.peCount(); range++) {
            long bytes = blocksIn(store, range, blocks) * store.blockSizeBytes();
            for (int replica = 0; replica < placement.replication(); replica++) {
                sent[placement.holder(range, replica)] += bytes;
            }
        }
        return sent;
    }

    /**
     * Bytes that a PE receives from each: from itself what it holds, of the rest equal parts from all holders alive.
     */
    static long[] receivedByPull(ReStore store, BlockRange wanted, int rank, FailedRanks failed) {
        Placement placement = store.placement();
        long[] received = new long[placement.peCount()];
        int[] holders = new int[placement.replication()];
        for (int range = 0; range < placement.peCount(); range++) {
            long blocks = blocksIn(store, range, wanted);
            if (placement.isHeldBy(range, rank)) {
                received[rank] += blocks * store.blockSizeBytes();
                continue;
            }
            int alive = placement.aliveHolders(range, failed, holders);
            for (int i = 0; i < alive; i++) {
                received[holders[i]] += (blocks / alive + (i < blocks % alive ? 1 : 0)) * store.blockSizeBytes();
            }
        }
        return received;
    }
}
