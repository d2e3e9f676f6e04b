package org.restorej.bench.mpi;

import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** Which bytes the store's operations move between which PEs, for rivals that are to move the same. Pure arithmetic. */
final class BlockTraffic {
    private final Placement placement;
    private final ReStore store;
    private final long blockBytes;

    BlockTraffic(ReStore store) {
        placement = store.placement();
        this.store = store;
        blockBytes = store.blockSizeBytes();
    }

    /** Takes a piece of blocks that the same PEs hold. */
    private interface PieceConsumer {
        void accept(int range, long blocks);
    }

    private void forEachPiece(BlockRange blocks, PieceConsumer consumer) {
        BlockRanges all = BlockRanges.of(blocks);
        for (int i = 0; i < placement.peCount(); i++) {
            int range = i;
            store.blocksIn(range).intersect(all).runs().forEach(run -> consumer.accept(range, run.count()));
        }
    }

    /** Bytes that the submitter of blocks sends to each PE: a copy to each holder. */
    long[] sentBySubmit(BlockRange blocks) {
        long[] sent = new long[placement.peCount()];
        forEachPiece(blocks, (range, count) -> {
            for (int replica = 0; replica < placement.replication(); replica++) {
                sent[placement.holder(range, replica)] += count * blockBytes;
            }
        });
        return sent;
    }

    /**
     * Bytes that a PE receives from each: from itself what it holds, of the rest equal parts from all holders alive.
     */
    long[] receivedByPull(BlockRange wanted, int rank, FailedRanks failed) {
        long[] received = new long[placement.peCount()];
        int[] holders = new int[placement.replication()];
        forEachPiece(wanted, (range, count) -> {
            int alive = placement.aliveHolders(range, failed, holders);
            if (placement.isHeldBy(range, rank)) {
                received[rank] += count * blockBytes;
                return;
            }
            for (int i = 0; i < alive; i++) {
                received[holders[i]] += PullPattern.part(0, count, alive, i).count() * blockBytes;
            }
        });
        return received;
    }
}
