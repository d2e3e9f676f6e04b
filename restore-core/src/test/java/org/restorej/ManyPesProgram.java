package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;

/**
 * Many PEs in one JVM submit, lose one in a hundred at random, recover, replenish, and read everything back, each what
 * is its own by then.
 */
final class ManyPesProgram {
    private static final int BLOCKS_PER_PE = 64;
    private static final int REPLICATION = 4;
    private static final TestBlocks CONTENT = new TestBlocks(256, 1);
    /** Far longer than it takes, but for a program that hangs. */
    private static final Duration TIMEOUT = Duration.ofHours(1);

    private final int pes;
    private final int[] victims;

    ManyPesProgram(int pes) {
        this.pes = pes;
        victims = new Random(pes).ints(0, pes).distinct().limit(Math.max(1, Math.round(pes / 100.0))).toArray();
    }

    /** How many PEs die. */
    int failures() {
        return victims.length;
    }

    /** Runs it. Returns how many PEs have come to the end; all blocks were read by one of them each. */
    int run() {
        try (LocalCluster cluster = LocalCluster.builder(pes).timeout(TIMEOUT).build()) {
            List<PeOutcome<Long>> outcomes = cluster.run(this::submitLoseAndRead);
            List<Long> read = PeOutcome.values(outcomes);
            equal((long) pes * BLOCKS_PER_PE, read.stream().mapToLong(Long::longValue).sum(), "blocks read");
            return read.size();
        }
    }

    private long submitLoseAndRead(Communicator world) {
        long blocks = (long) pes * BLOCKS_PER_PE;
        try (ReStore store = ReStore.builder(world).blocks(blocks).blockSizeBytes(CONTENT.blockSizeBytes())
                .replication(REPLICATION).build()) {
            store.submit(BlockRange.of((long) world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE), CONTENT::write);
            StoreRank own = StoreRank.of(world.rank());
            Communicator survivors = FailingStorePrograms.kill(world, victims);
            store.recover(survivors);
            equal(FailedRanks.of(victims), store.failedRanks(), "failed ranks");
            holds(store.report().blocksByReplicas().get(REPLICATION) < blocks, "replicas are lost");
            store.replenish();
            equal(blocks, store.report().blocksByReplicas().get(REPLICATION), "blocks with all their replicas");
            BlockRanges share = LoadBalancer.equal(pes, blocks).rebalance(store.failedRanks()).blocksOf(own);
            store.pull(share, CONTENT::check);
            return share.blockCount();
        }
    }
}
