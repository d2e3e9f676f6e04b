package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.restorej.bench.c.CompiledC;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/**
 * What protecting and recovering files takes a program in C, without MPI, agreements and the JVM: its processes read,
 * compute checksums and sums, move pieces, and write. It does as many turns as {@link FileLife}.
 */
public final class FileFloor {
    /** The method of measurements by reads and writes, and copies from process to process. */
    public static final String BOUND = "lower bound (C)";
    private static final String BASE = "base";
    /** The fastest way that was found: pieces in shared memory, and a file written again. */
    private static final String BEST = "shared+spare";

    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) (\\S+) .*rounds ([0-9. ]+)");

    private FileFloor() {}

    /**
     * Runs the program, each way of each scheme once. It checks what it has written.
     *
     * @param program the compiled one
     * @param processes how many; each has a file
     * @param bytes of a file
     * @param directory where files go
     * @throws IOException when the program fails; the message has what it said
     */
    public static JmhResults run(Path program, int processes, long bytes, Path directory) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--directory", directory.toString(),
                "--processes", Integer.toString(processes), "--bytes", Long.toString(bytes), "--rounds",
                Integer.toString(FileLife.TURNS), "--way", BASE, "--way", BEST));
        FileLife.schemes(processes).forEach(scheme -> command.addAll(List.of("--scheme", scheme)));
        return results(CompiledC.output(command), processes, bytes);
    }

    static JmhResults results(String output, int processes, long bytes) throws IOException {
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        for (String line : output.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException("file_floor has printed what is no line of times: " + line);
            }
            List<Double> rounds = Arrays.stream(matcher.group(4).split(" ", -1)).map(Double::valueOf).toList();
            String way = matcher.group(3);
            BenchmarkKey key = new BenchmarkKey(FileLife.class.getName() + "." + matcher.group(2),
                    new TreeMap<>(Map.of("pes", Integer.toString(processes), "bytes", Long.toString(bytes),
                            FileLife.SCHEME, matcher.group(1), BenchmarkKey.METHOD,
                            way.equals(BASE) ? BOUND : BOUND + ", " + way)));
            FileLife.calls(rounds).forEach((calls, times) -> millis.put(key.with(JobLife.CALLS, calls), times));
        }
        return JmhResults.ofMillis(millis);
    }
}
