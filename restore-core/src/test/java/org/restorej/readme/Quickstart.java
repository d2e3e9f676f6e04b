package org.restorej.readme;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.restorej.LocalRows;
import org.restorej.ReStore;
import org.restorej.RecoveryLoop;
import org.restorej.ReplicatedArray;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.placement.StoreRank;

/** Sums a million numbers on eight PEs, one of which dies on the way. */
public class Quickstart {
    static final long NUMBERS = 1_000_000;

    static double run(Communicator world) {
        EqualLoadBalancer balancer = new EqualLoadBalancer(world.size(), NUMBERS);
        BlockRanges own = balancer.assignment().blocksOf(StoreRank.of(world));
        double[] numbers = LongStream.range(0, own.blockCount()).mapToDouble(own::blockAt).toArray();
        try (ReplicatedArray<double[]> array = ReplicatedArray
                .ofDoubles(ReStore.builder(world).replication(3), NUMBERS, 1)) {
            LocalRows<double[]> mine = array.local(own, numbers);
            mine.submit(); // from now on three PEs have each number
            RecoveryLoop loop = new RecoveryLoop(world, array.store(), balancer, mine);
            FailureSimulation.of(world).fail(5); // on a cluster, something does this for you
            return loop.step(survivors -> {
                double[] sum = {Arrays.stream(mine.values()).sum()};
                survivors.allReduce(sum, Reduction.SUM);
                return sum[0];
            });
        }
    }

    public static void main(String[] args) {
        List<Double> sums = LocalCluster.run(8, Quickstart::run);
        System.out.println(sums.size() + " PEs are left, and the sum is " + sums.getFirst());
    }
}
