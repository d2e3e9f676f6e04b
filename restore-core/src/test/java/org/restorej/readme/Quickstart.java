package org.restorej.readme;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.restorej.ReStore;
import org.restorej.RecoveryLoop;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.LocalCluster;
import org.restorej.comm.Reduction;

/** Sums a million numbers on eight PEs, one of which dies on the way. */
public class Quickstart {
    static final long BLOCKS = 1_000_000;
    private double mySum;

    double run(Communicator world) {
        EqualLoadBalancer balancer = new EqualLoadBalancer(world.size(), BLOCKS);
        BlockRanges mine = balancer.assignment().blocksOf(world.originalRank());
        double[] rows = new double[(int) mine.blockCount()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = mine.blockAt(i);
        }
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(Double.BYTES).replication(3)
                .build()) {
            store.submit(BlockRange.of(mine.runFirst(0), rows.length), MemorySegment.ofArray(rows));
            add(mine, MemorySegment.ofArray(rows));
            RecoveryLoop loop = new RecoveryLoop(world, store, balancer, this::add);
            ((FailureSimulation) world).fail(IntSet.of(5)); // on a cluster, something does this for you
            return loop.step(survivors -> {
                double[] sum = {mySum};
                survivors.allReduce(sum, Reduction.SUM);
                return sum[0];
            });
        }
    }

    private void add(BlockRanges blocks, MemorySegment bytes) {
        for (long i = 0; i < blocks.blockCount(); i++) {
            mySum += bytes.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        }
    }

    public static void main(String[] args) {
        List<Double> sums = LocalCluster.run(8, world -> new Quickstart().run(world));
        System.out.println(sums.size() + " PEs are left, and the sum is " + sums.getFirst());
    }
}
