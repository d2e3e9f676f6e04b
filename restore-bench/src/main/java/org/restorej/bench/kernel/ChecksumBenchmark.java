package org.restorej.bench.kernel;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
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

/** The JDK's checksums on off-heap memory, one thread: CRC-32C guards data, CRC-32 redset's headers. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(jvmArgsAppend = "-Xmx1g")
@SuppressWarnings("NullAway.Init") // JMH calls @Setup before anything else.
public class ChecksumBenchmark {
    private static final String CHECKED = "123456789";
    private static final long CRC32C_OF_CHECKED = 0xE3069283L;
    private static final long CRC32_OF_CHECKED = 0xCBF43926L;

    @Param({"CRC32C", "CRC32"})
    String algorithm;

    @Param({"4096", "65536", "1048576"})
    int pieceBytes;

    private Arena arena;
    private Checksum checksum;
    private ByteBuffer piece;

    /** Makes the piece, and compares the checksum of the digits 1 to 9 with the published one. */
    @Setup
    public void setUp() {
        arena = Arena.ofConfined();
        boolean castagnoli = algorithm.equals("CRC32C");
        checksum = castagnoli ? new CRC32C() : new CRC32();
        checksum.update(CHECKED.getBytes(StandardCharsets.US_ASCII));
        if (checksum.getValue() != (castagnoli ? CRC32C_OF_CHECKED : CRC32_OF_CHECKED)) {
            throw new IllegalStateException(algorithm + " of " + CHECKED + " is " + checksum.getValue());
        }
        piece = KernelCase.of(arena, 1, 1, pieceBytes).sources()[0].asByteBuffer();
    }

    /** Frees the piece. */
    @TearDown
    public void tearDown() {
        arena.close();
    }

    /** A checksum of one piece. */
    @Benchmark
    public long checksum(Traffic traffic) {
        checksum.reset();
        checksum.update(piece.rewind());
        traffic.bytes = pieceBytes;
        return checksum.getValue();
    }
}
