package org.restorej.bench.mpi;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.restorej.comm.Reduction;

/**
 * Something that all PEs do together, measured from a barrier to a barrier. What it has moved is checked twice, outside
 * the measured part: before the first and after the last call, each time after what was there has been made
 * unrecognisable.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 60)
@Measurement(iterations = 15)
@Fork(0)
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public abstract class CollectiveBenchmark {
    /** Number of PEs; set by {@link RankMain}, so that JMH writes it down with the other parameters. */
    @Param("0")
    int pes;

    private RankWorld world;
    private Exchange exchange;
    private long totalBytes;

    /** What JMH writes down beside the time. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Moved {
        /** Bytes that all PEs have handed in or wanted, in one invocation. */
        public long bytes;
    }

    /** Makes what is measured. Collective. */
    abstract Exchange open(RankWorld ranks);

    /** Opens it, and checks it. */
    @Setup(Level.Trial)
    public void openExchange() {
        world = RankWorld.get();
        exchange = open(world);
        totalBytes = world.communicator().allReduce(exchange.bytes(), Reduction.SUM);
        verify();
    }

    /** Lets all PEs begin at the same time. */
    @Setup(Level.Invocation)
    public void startTogether() {
        exchange.prepare();
        world.barrier();
    }

    /** What is measured: until the last PE is done. */
    @Benchmark
    public void run(Moved moved) {
        exchange.run();
        world.barrier();
        moved.bytes = totalBytes;
    }

    /** Checks it again, and closes it when nobody needs it any more. */
    @TearDown(Level.Trial)
    public void closeExchange() {
        verify();
        exchange.close();
        world.barrier();
    }

    private void verify() {
        world.barrier();
        exchange.clear();
        startTogether();
        exchange.run();
        world.barrier();
        exchange.check();
        world.barrier();
    }
}
