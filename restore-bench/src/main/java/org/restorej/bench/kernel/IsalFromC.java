package org.restorej.bench.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.erasure.GaloisMatrix;

/** ISA-L called by the C program {@code isal_rs.c}, compiled here and now. Its directory is the caller's. */
final class IsalFromC {
    private static final String SOURCE = "isal_rs.c";

    private final Path program;

    private IsalFromC(Path program) {
        this.program = program;
    }

    /**
     * What the program measured.
     *
     * @param gigabytesPerSecond of input, one a batch
     * @param hash of the targets
     */
    record Run(List<Double> gigabytesPerSecond, long hash) {}

    /**
     * Compiles the program.
     *
     * @param compiler command of a C compiler
     * @param directory where source and program go
     * @throws IOException when there is no compiler, or it fails; the message says what it said
     */
    static IsalFromC compile(String compiler, Path directory) throws IOException {
        Path source = directory.resolve(SOURCE);
        try (InputStream resource = IsalFromC.class.getResourceAsStream("/" + SOURCE)) {
            if (resource == null) {
                throw new IOException(SOURCE + " is not in the jar");
            }
            Files.copy(resource, source);
        }
        Path program = directory.resolve("isal_rs");
        run(List.of(compiler, "-O2", source.toString(), "-o", program.toString(), "-ldl"), "");
        return new IsalFromC(program);
    }

    Run measure(GaloisMatrix matrix, int pieceBytes, int repetitions, int batches) throws IOException {
        StringBuilder coefficients = new StringBuilder();
        for (byte coefficient : matrix.toRowMajor()) {
            coefficients.append(coefficient & 0xFF).append(' ');
        }
        List<Double> speeds = new ArrayList<>();
        long hash = 0;
        for (String line : run(List.of(program.toString(), "" + matrix.columns(), "" + matrix.rows(), "" + pieceBytes,
                "" + repetitions, "" + batches), coefficients.toString()).lines().toList()) {
            if (line.startsWith("check ")) {
                hash = Long.parseUnsignedLong(line.substring("check ".length()), 16);
            } else {
                speeds.add(Double.valueOf(line));
            }
        }
        return new Run(speeds, hash);
    }

    private static String run(List<String> command, String input) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output.strip());
            }
        } catch (InterruptedException interruption) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + command.get(0), interruption);
        }
        return output;
    }
}
