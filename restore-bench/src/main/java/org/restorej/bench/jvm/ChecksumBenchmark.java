package org.restorej.bench.jvm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.storage.Checksum;

/** The checksum of a permutation range in off-heap memory; the control is a copy of the same bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class ChecksumBenchmark {
    /** Bytes of a range: small, as large as a permutation range is, larger than caches. */
    @Param({"4096", "262144", "67108864"})
    long bytes;

    private Arena arena;
    private MemorySegment segment;
    private MemorySegment copy;

    /** Fills memory. */
    @Setup
    public void setUp() {
        arena = Arena.ofShared();
        segment = arena.allocate(bytes, 64);
        copy = arena.allocate(bytes, 64);
        KnownBytes.fill(segment, 1, 0);
        copy.copyFrom(segment);
        if (Checksum.of(segment) != Checksum.of(copy)) {
            throw new IllegalStateException("equal bytes have different checksums");
        }
    }

    /** CRC-32C. */
    @Benchmark
    public int checksum() {
        return Checksum.of(segment);
    }

    /** The control. */
    @Benchmark
    public MemorySegment copy() {
        return copy.copyFrom(segment);
    }

    /** Frees memory. */
    @TearDown
    public void tearDown() {
        arena.close();
    }
}
