package org.restorej.bench.scale;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.RankMap;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.Pass;
import org.restorej.internal.plan.Peers;
import org.restorej.internal.plan.ReadPlanner;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.risk.CopysetLossProbability;
import org.restorej.internal.risk.Copysets;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * The part of one PE in each operation of a store of P PEs that needs no communication: 16 MiB a PE in blocks of 64
 * bytes, four replicas, permutation ranges of 256 KiB, 16 ring points. One thread.
 */
final class PlanCases {
    private static final long BLOCK_BYTES = 64;
    private static final long BLOCKS_PER_PE = (16 << 20) / BLOCK_BYTES;
    private static final int REPLICATION = 4;
    private static final long PERMUTATION_RANGE_BLOCKS = (256 << 10) / BLOCK_BYTES;
    private static final int RING_POINTS = 16;
    private static final long SEED = 1;
    private static final double DEAD_PART = 0.01;
    /** Failures one after the other, the work distributed again after each, before another one is measured. */
    private static final int DEATHS_BEFORE = 8;

    private final int peCount;
    private final int self;
    private final BlockDirectory whole;
    private final FailedRanks dead;
    private final BlockDirectory diminished;

    PlanCases(int peCount) {
        this.peCount = peCount;
        self = peCount / 2;
        Placement placement = new Placement(peCount, blocks(), REPLICATION);
        ReplicaRing ring = new ReplicaRing(placement, RING_POINTS, SEED + 1);
        whole = new BlockDirectory(RangePermutation.feistel(blocks(), PERMUTATION_RANGE_BLOCKS, SEED),
                ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE),
                new ChunkGrid(ring, PERMUTATION_RANGE_BLOCKS), DamagedReplicas.NONE);
        dead = FailedRanks.of(new Random(SEED).ints(0, peCount).filter(rank -> rank != self).distinct()
                .limit(Math.round(peCount * DEAD_PART)).toArray());
        diminished = whole.with(whole.replicaMap().lost(dead));
    }

    private long blocks() {
        return peCount * BLOCKS_PER_PE;
    }

    /** By name what is measured; what a case returns is of no interest. */
    Map<String, Supplier<?>> all() {
        Map<String, Supplier<?>> cases = new LinkedHashMap<>();
        cases.put("submit", () -> submitting(whole));
        cases.put("submitAfterDeaths", () -> submitting(whole.with(
                ReplicaMap.placedWithout(whole.replicaMap().placement(), whole.replicaMap().ring(), dead))));
        cases.put("pullShare", pulling(wish(1)));
        cases.put("pullWholes", pulling(BlockRanges.of((self + 1L) * BLOCKS_PER_PE, BLOCKS_PER_PE)));
        cases.put("pushShare", pushing());
        cases.put("replenish", this::replenish);
        cases.put("balanceOneDeath", balancing(0));
        cases.put("balanceLaterDeath", balancing(DEATHS_BEFORE));
        cases.put("risk", this::risk);
        cases.put("report", () -> List.of(diminished.blocksByReplicas(), diminished.rangesWithOneReplica()));
        return cases;
    }

    private Peers everybody() {
        return new Peers(self, self, peCount, rank -> rank);
    }

    private Object submitting(BlockDirectory directory) {
        SourceRuns share = new SourceRuns(List.of(new SourceRuns.Run(
                BlockRange.of(self * BLOCKS_PER_PE, BLOCKS_PER_PE), new UniformLayout(BLOCKS_PER_PE, BLOCK_BYTES),
                MemorySegment.NULL)));
        // Without checksums: they cost time by the byte.
        Coverage coverage = new Coverage(directory.replicaMap(), directory.permutation(), self);
        return new SubmitPlanner(directory, everybody(), false, coverage, null).plan(share, Arena.ofAuto());
    }

    /** What a PE gets of the blocks of a failed one: to each survivor the same number of blocks, or one more. */
    private BlockRanges wish(int victim) {
        long first = victim * BLOCKS_PER_PE;
        long share = BLOCKS_PER_PE / (peCount - 1);
        return BlockRanges.of(first + (share == 0 ? 0 : self * share), Math.max(1, share));
    }

    private Supplier<?> pulling(BlockRanges wanted) {
        return () -> new ReadPlanner(whole, everybody(), wanted, BLOCK_BYTES, Pass.BLOCKS).next();
    }

    /**
     * The blocks of one failed PE to all others, none of whom has to ask; what they want is the application's to say.
     */
    private Supplier<?> pushing() {
        BlockRanges[] wanted = new BlockRanges[peCount];
        for (int rank = 0; rank < peCount; rank++) {
            long first = rank * BLOCKS_PER_PE / peCount;
            wanted[rank] = BlockRanges.of(first, (rank + 1) * BLOCKS_PER_PE / peCount - first);
        }
        return () -> {
            int[] storeRanks = new int[peCount];
            Arrays.setAll(storeRanks, rank -> rank);
            ReadPlanner planner = ReadPlanner.ofAll(whole, everybody(), storeRanks, wanted, BLOCK_BYTES, Pass.BLOCKS);
            int pieces = planner.next().size();
            for (int peer = 0; peer < peCount; peer++) {
                pieces += planner.outgoing(peer).size();
            }
            return pieces;
        };
    }

    private Object replenish() {
        RankMap survivors = RankMap.identity(peCount).without(dead.values());
        Peers peers = new Peers(self, survivors.currentRankOf(self), survivors.size(), survivors::currentRankOf);
        return ReplenishPlan.of(diminished, diminished.replicaMap().replenished(dead), peers, Pass.BLOCKS);
    }

    private Supplier<?> balancing(int deathsBefore) {
        int[] victims = dead.values().toIntArray();
        LoadBalancer balancer = LoadBalancer.equal(peCount, blocks());
        for (int deaths = 1; deaths <= deathsBefore; deaths++) {
            balancer.rebalance(FailedRanks.of(Arrays.copyOf(victims, deaths)));
            balancer.commit();
        }
        FailedRanks failed = FailedRanks.of(Arrays.copyOf(victims, deathsBefore + 1));
        return () -> balancer.rebalance(failed).blocksOf(self);
    }

    private Object risk() {
        Copysets.Builder copysets = new Copysets.Builder();
        for (int range = 0; range < peCount; range++) {
            diminished.forEachPiece(range, (first, end, holders, count) -> copysets.add(holders, count));
        }
        return new CopysetLossProbability(copysets.build(peCount - dead.size())).afterFailures(REPLICATION);
    }
}
