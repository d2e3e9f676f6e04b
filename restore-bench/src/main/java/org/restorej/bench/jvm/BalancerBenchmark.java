package org.restorej.bench.jvm;

import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.restorej.balance.Assignment;
import org.restorej.balance.BlockCosts;
import org.restorej.balance.LoadBalancer;
import org.restorej.placement.FailedRanks;

/** Who does a failed PE's work: the proposal of each balancer after one failure. Nothing is committed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class BalancerBenchmark {
    private static final long BLOCKS_PER_PE = 30_000;

    /** Number of PEs. */
    @Param({"16", "1024", "24576"})
    int peCount;

    /** Which balancer. */
    @Param({"equal", "weighted", "contiguous"})
    String balancer = "equal";

    private LoadBalancer chosen;
    private FailedRanks failed;

    /** Makes the balancer, and lets a PE in the middle fail. */
    @Setup
    public void setUp() {
        long blocks = peCount * BLOCKS_PER_PE;
        chosen = switch (balancer) {
            case "equal" -> LoadBalancer.equal(peCount, blocks);
            case "weighted" -> LoadBalancer.weighted(BlockCosts.equal(blocks),
                    DoubleStream.generate(() -> 1).limit(peCount).toArray());
            case "contiguous" -> LoadBalancer.contiguous(peCount, blocks);
            default -> throw new IllegalArgumentException("no such balancer: balancer=" + balancer);
        };
        failed = FailedRanks.of(peCount / 2);
    }

    /** A proposal after failures, which is not committed. */
    @Benchmark
    public Assignment rebalance() {
        return chosen.rebalance(failed);
    }
}
