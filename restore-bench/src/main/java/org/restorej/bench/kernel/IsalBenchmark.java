package org.restorej.bench.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
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
import org.restorej.internal.erasure.LinearMap;

/**
 * ISA-L called from Java against ISA-L called from C: the same Reed-Solomon encodings of the same pieces, eight members
 * with two checksums, one thread. Needs ISA-L and a C compiler: see {@link MeasurableKernels}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(jvmArgsAppend = {"-Xmx256m", "--enable-native-access=ALL-UNNAMED"})
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class IsalBenchmark {
    private static final int MEMBERS = 8;
    private static final int CHECKSUMS = 2;
    /** So many that the one call into C doesn't count. */
    private static final int REPETITIONS = 64;

    /** Who calls. */
    @Param({"isal", "isal-c"})
    String method;

    /** Size of a piece. */
    @Param({"16384", "65536", "262144", "1048576"})
    int pieceBytes;

    private Arena arena;
    private KernelCase pieces;
    private Runnable batch;

    /** Makes the pieces, and compares what comes out with what the table kernel computes. */
    @Setup
    public void setUp() throws IOException {
        arena = Arena.ofConfined();
        pieces = KernelCase.of(arena, MEMBERS, CHECKSUMS, pieceBytes);
        KernelCase.kernel("scalar").prepare(pieces.matrix()).apply(pieces.sources(), pieces.targets());
        long expected = pieces.hashOfTargets();
        pieces.clearTargets();
        batch = method.equals("isal") ? fromJava() : fromC();
        batch.run();
        if (pieces.hashOfTargets() != expected) {
            throw new IllegalStateException(method + " computes other bytes than scalar");
        }
    }

    private Runnable fromJava() {
        LinearMap map = KernelCase.kernel("isal").prepare(pieces.matrix());
        return () -> {
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                map.apply(pieces.sources(), pieces.targets());
            }
        };
    }

    private Runnable fromC() throws IOException {
        IsalFromC isal = IsalFromC.compile(pieces, arena);
        return () -> isal.encode(REPETITIONS);
    }

    /** Frees the pieces. */
    @TearDown
    public void tearDown() {
        arena.close();
    }

    /** A batch of encodings. */
    @Benchmark
    public void encode(Traffic traffic) {
        batch.run();
        traffic.bytes = REPETITIONS * pieces.sourceBytes();
    }
}
