package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.restorej.bench.c.CompiledC;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/**
 * What submits and pulls take a program in C, without MPI, announcements, agreements, checksums and the JVM: its
 * processes bring permutation ranges to their holders, and fetch whole shares from them. It has the bytes, the ranges
 * and the replicas of {@link JobLife}.
 */
public final class SubmitFloor {
    /** The method of measurements in which bytes are copied out of the sender's memory. */
    public static final String COPY = "lower bound (C)";
    /** The same, where replicas are in memory that all processes see. */
    public static final String SHARED = COPY + ", shared memory";

    private static final Pattern LINE = Pattern.compile("(\\S+) (copy|shared) rounds ([0-9. ]+)");

    private SubmitFloor() {}

    /**
     * Compiles the program.
     *
     * @param folder where source and program go
     * @throws IOException when there is no compiler, or it fails; the message says why
     */
    public static Path compile(Path folder) throws IOException {
        return compile("cc", folder);
    }

    static Path compile(String compiler, Path folder) throws IOException {
        return CompiledC.program(compiler, "submit_floor.c", folder, "-ldl", "-pthread");
    }

    /**
     * Runs the program, once for each way. It checks what has arrived.
     *
     * @param program the compiled one
     * @param processes how many; each has data
     * @param bytes of a process
     * @param rounds how often each operation is called
     * @throws IOException when the program fails; the message has what it said
     */
    public static JmhResults run(Path program, int processes, long bytes, int rounds) throws IOException {
        StringBuilder output = new StringBuilder();
        for (String way : List.of("copy", "shared")) {
            output.append(CompiledC.output(List.of(program.toString(), "--processes", Integer.toString(processes),
                    "--bytes", Long.toString(bytes), "--range", Long.toString(JobLife.PERMUTATION_RANGE_BYTES),
                    "--replicas", Integer.toString(Math.min(processes, JobLife.REPLICATION)), "--rounds",
                    Integer.toString(rounds), "--way", way)));
        }
        return results(output.toString(), processes, bytes);
    }

    static JmhResults results(String output, int processes, long bytes) throws IOException {
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        for (String line : output.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException("submit_floor has printed what is no line of times: " + line);
            }
            millis.putAll(LifeResults.ofProgram(matcher.group(1), processes, bytes,
                    matcher.group(2).equals("shared") ? SHARED : COPY,
                    Arrays.stream(matcher.group(3).split(" ")).map(Double::valueOf).toList()));
        }
        return JmhResults.ofMillis(millis);
    }
}
