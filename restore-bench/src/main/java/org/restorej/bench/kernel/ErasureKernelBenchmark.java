package org.restorej.bench.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.LinearMap;

/**
 * The rivals of GF(2^8) arithmetic on pieces in off-heap memory, one thread. The counter {@code bytes} is the input:
 * what all sources hold. A kernel that is absent fails with the reason; the suite
 * measures the {@link MeasurableKernels} only.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(jvmArgsAppend = {"-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class ErasureKernelBenchmark {
    @Param({"scalar", "swar", "isal"})
    String kernel;

    @Param({"4", "8"})
    int members;

    @Param({"2", "4"})
    int checksums;

    @Param({"65536", "1048576"})
    int pieceBytes;

    private Arena arena;
    private ErasureKernel chosen;
    private KernelCase pieces;
    private LinearMap map;

    /** Makes the pieces, and compares what the kernel computes with what the table kernel does. */
    @Setup
    public void setUp() {
        arena = Arena.ofConfined();
        chosen = KernelCase.kernel(kernel);
        pieces = KernelCase.of(arena, members, checksums, pieceBytes);
        map = chosen.prepare(pieces.matrix());
        KernelCase.kernel("scalar").prepare(pieces.matrix()).apply(pieces.sources(), pieces.targets());
        long expected = pieces.hashOfTargets();
        pieces.clearTargets();
        apply(new Traffic());
        check("apply", expected);
        pieces.clearTargets();
        accumulate(new Traffic());
        check("accumulate", expected);
        pieces.clearTargets();
        exclusiveOr(new Traffic());
        pieces.requireExclusiveOr(kernel);
    }

    private void check(String what, long expected) {
        if (pieces.hashOfTargets() != expected) {
            throw new IllegalStateException(kernel + " computes other bytes than scalar in " + what);
        }
    }

    /** Frees the pieces. */
    @TearDown
    public void tearDown() {
        arena.close();
    }

    /** All checksums from all sources at once, as one process that reaches all files does it. */
    @Benchmark
    public void apply(Traffic traffic) {
        map.apply(pieces.sources(), pieces.targets());
        traffic.bytes = pieces.sourceBytes();
    }

    /** One source after the other, as the ring of processes does it. */
    @Benchmark
    public void accumulate(Traffic traffic) {
        for (int member = 0; member < members; member++) {
            map.accumulate(member, pieces.sources()[member], pieces.targets());
        }
        traffic.bytes = pieces.sourceBytes();
    }

    /** Exclusive or of all sources, one after the other. */
    @Benchmark
    public void exclusiveOr(Traffic traffic) {
        for (MemorySegment source : pieces.sources()) {
            chosen.xor(source, pieces.targets()[0]);
        }
        traffic.bytes = pieces.sourceBytes();
    }
}
