package org.restorej.bench.jvm;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Submit and pull among PEs that are threads of this JVM: all of the protocols, none of MPI. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class LocalExchangeBenchmark {
    /** Number of PEs. */
    @Param({"2", "4", "8"})
    int pes;

    /** Data of all PEs together. */
    @Param({"4194304", "33554432"})
    long bytes;

    private LocalStorePes cluster;

    /** Starts the PEs, and checks what they do. */
    @Setup
    public void setUp() {
        cluster = LocalStorePes.start(pes, bytes / pes);
        cluster.submit();
        cluster.pull();
        cluster.check();
    }

    /** All PEs submit their share, in blocks of 64 bytes; three replicas, or two of two PEs. */
    @Benchmark
    public void submit() {
        cluster.submit();
    }

    /** Each PE pulls the share of another. */
    @Benchmark
    public void pull() {
        cluster.pull();
    }

    /** Ends the PEs. */
    @TearDown
    public void tearDown() {
        cluster.close();
    }
}
