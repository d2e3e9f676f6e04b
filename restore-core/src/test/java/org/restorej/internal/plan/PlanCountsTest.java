package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * What one PE plans for its 16 MiB depends on its data, not on the number of PEs: blocks of 64 bytes, K = 4, permutation
 * ranges of 256 KiB.
 */
class PlanCountsTest {
    private static final int REPLICATION = 4;
    private static final int BLOCK_BYTES = 64;
    private static final long SHARE_BYTES = 16 << 20;
    private static final long BLOCKS_PER_PE = SHARE_BYTES / BLOCK_BYTES;
    private static final long RANGE_BLOCKS = (256 << 10) / BLOCK_BYTES;

    /** Pieces, and peers, of a plan. */
    private record Counts(int pieces, int peers, long blocks) {
        static Counts of(PieceTable table) {
            long blocks = 0;
            int pieces = table.start(table.peerCount());
            for (int piece = 0; piece < pieces; piece++) {
                blocks += table.count(piece);
            }
            return new Counts(pieces, table.peerCount(), blocks);
        }
    }

    private static BlockDirectory directory(int pes) {
        Placement placement = new Placement(pes, pes * BLOCKS_PER_PE, REPLICATION);
        ReplicaRing ring = new ReplicaRing(placement, 16, 2);
        return new BlockDirectory(RangePermutation.feistel(pes * BLOCKS_PER_PE, RANGE_BLOCKS, 1),
                ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE), new ChunkGrid(ring, RANGE_BLOCKS),
                DamagedReplicas.NONE);
    }

    private static Peers peers(int pes, int rank) {
        return new Peers(rank, pes, peer -> peer);
    }

    private static BlockRange share(int rank) {
        return BlockRange.of(rank * BLOCKS_PER_PE, BLOCKS_PER_PE);
    }

    private static Counts submit(int pes, int rank) {
        SourceRuns share = new SourceRuns(List.of(new SourceRuns.Run(share(rank),
                new UniformLayout(BLOCKS_PER_PE, BLOCK_BYTES), 0, MemorySegment.NULL)));
        return Counts.of(new SubmitPlanner(directory(pes), peers(pes, rank), false, null, null)
                .plan(share, Arena.ofAuto()).pieces());
    }

    private static Counts pull(int pes, int rank) {
        ReadPlanner planner = new ReadPlanner(directory(pes), peers(pes, rank),
                BlockRanges.of(share((rank + 1) % pes)), BLOCK_BYTES);
        Counts counts = Counts.of(planner.next());
        assertTrue(!planner.hasNext(), "one batch");
        return counts;
    }

    @Test
    void aMillionPesMakeNoPlanLongerThanAThousand() {
        for (int rank : new int[]{0, 17, 767}) {
            Counts submit = submit(768, rank);
            Counts pull = pull(768, rank);
            assertEquals(REPLICATION * BLOCKS_PER_PE, submit.blocks());
            assertEquals(BLOCKS_PER_PE, pull.blocks());
            for (int pes : new int[]{24_576, 1_000_000}) {
                assertEquals(submit.blocks(), submit(pes, rank).blocks());
                assertEquals(pull.blocks(), pull(pes, rank).blocks());
                assertTrue(submit(pes, rank).pieces() <= 1.1 * submit.pieces(), submit(pes, rank)::toString);
                assertTrue(submit(pes, rank).peers() <= submit.pieces(), submit(pes, rank)::toString);
                assertTrue(pull(pes, rank).pieces() <= 1.2 * pull.pieces(), pull(pes, rank)::toString);
            }
        }
    }
}
