package org.restorej.bench.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.restorej.redset.erasure.ErasureKernels;
import org.restorej.redset.erasure.LinearMap;

/**
 * ISA-L called from Java against ISA-L called from C: the same Reed-Solomon encoding of the same bytes, by turns in one
 * run; the hashes of the results are compared. Without a C compiler or without ISA-L it says so and ends with exit code 1.
 *
 * <pre>{@code
 * java --enable-native-access=ALL-UNNAMED -Xmx256m -cp restore-bench/target/restore-bench-0.1.0-SNAPSHOT-all.jar \
 *     org.restorej.bench.kernel.IsalReport
 * }</pre>
 *
 * <p>
 * The argument is the C compiler, {@code cc} by default. Printed are medians in GB/s of input, the spread from the 10th to
 * the 90th percentile, and the ratio of the medians.
 */
public final class IsalReport {
    private static final int MEMBERS = 8;
    private static final int CHECKSUMS = 2;
    private static final int[] PIECE_BYTES = {16 << 10, 64 << 10, 256 << 10, 1 << 20};
    private static final int ROUNDS = 9;
    private static final int BATCHES = 3;
    private static final long BYTES_PER_BATCH = 256L << 20;

    private IsalReport() {}

    /** Prints the report. */
    public static void main(String[] args) throws IOException {
        if (ErasureKernels.isalAbsence().isPresent()) {
            absent("ISA-L: " + ErasureKernels.isalAbsence().get());
        }
        Path directory = Files.createTempDirectory("isal-report");
        try {
            report(compile(args.length > 0 ? args[0] : "cc", directory));
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Collections.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }

    private static IsalFromC compile(String compiler, Path directory) {
        try {
            return IsalFromC.compile(compiler, directory);
        } catch (IOException failure) {
            throw absent("a C compiler: " + failure.getMessage());
        }
    }

    private static IllegalStateException absent(String what) {
        System.err.println("NOT MEASURED: the ratio to ISA-L from C, for want of " + what);
        System.exit(1);
        return new IllegalStateException(what);
    }

    private static void report(IsalFromC fromC) throws IOException {
        System.out.printf(Locale.ROOT, "RS p=%d k=%d, one core, %d batches, GB/s of input: median (10%% .. 90%%)%n",
                MEMBERS, CHECKSUMS, ROUNDS * BATCHES);
        System.out.printf("%10s %28s %28s %8s%n", "piece", "ISA-L from Java", "ISA-L from C", "ratio");
        for (int pieceBytes : PIECE_BYTES) {
            measure(fromC, pieceBytes);
        }
    }

    private static void measure(IsalFromC fromC, int pieceBytes) throws IOException {
        List<Double> java = new ArrayList<>();
        List<Double> c = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            KernelCase pieces = KernelCase.of(arena, MEMBERS, CHECKSUMS, pieceBytes);
            LinearMap map = KernelCase.kernel("isal").prepare(pieces.matrix());
            int repetitions = Math.toIntExact(BYTES_PER_BATCH / pieces.sourceBytes());
            for (int round = -1; round < ROUNDS; round++) {
                List<Double> speeds = measureJava(map, pieces, repetitions);
                IsalFromC.Run run = fromC.measure(pieces.matrix(), pieceBytes, repetitions, BATCHES);
                if (run.hash() != pieces.hashOfTargets()) {
                    throw new IllegalStateException("C and Java compute different checksums");
                }
                if (round >= 0) {
                    java.addAll(speeds);
                    c.addAll(run.gigabytesPerSecond());
                }
            }
        }
        System.out.printf(Locale.ROOT, "%10d %28s %28s %8.2f%n", pieceBytes, spread(java), spread(c),
                at(java, 0.5) / at(c, 0.5));
    }

    private static List<Double> measureJava(LinearMap map, KernelCase pieces, int repetitions) {
        List<Double> speeds = new ArrayList<>();
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            for (int repetition = 0; repetition < repetitions; repetition++) {
                map.apply(pieces.sources(), pieces.targets());
            }
            speeds.add((double) pieces.sourceBytes() * repetitions / (System.nanoTime() - start));
        }
        return speeds;
    }

    private static String spread(List<Double> speeds) {
        return String.format(Locale.ROOT, "%.2f (%.2f .. %.2f)", at(speeds, 0.5), at(speeds, 0.1), at(speeds, 0.9));
    }

    private static double at(List<Double> speeds, double share) {
        List<Double> sorted = new ArrayList<>(speeds);
        Collections.sort(sorted);
        return sorted.get((int) Math.round(share * (sorted.size() - 1)));
    }
}
