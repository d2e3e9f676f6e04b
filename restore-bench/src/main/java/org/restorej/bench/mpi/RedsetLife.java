package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.restorej.bench.c.CompiledRival;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/**
 * Reads what programs write that live as {@link FileLife} does: {@code redset_life.c} with LLNL's redset, and the floor
 * program.
 */
public final class RedsetLife {
    /** The method of redset's measurements. */
    public static final String METHOD = CompiledRival.REDSET.text();

    private RedsetLife() {}

    /**
     * Reads times.
     *
     * @param times what the program has written
     * @param bytes of a rank
     * @param method which program
     * @return what JMH would have written of them
     * @throws IOException when the file can't be read, or is not what such programs write; the message names the file
     */
    public static JmhResults read(Path times, int pes, long bytes, FileScheme scheme, String method)
            throws IOException {
        Map<String, List<Double>> operations = FileLife
                .operations(ProgramTimes.read(times, List.of(FileLife.APPLY, FileLife.RECOVER)));
        return results(operations, new BenchmarkKey(FileLife.class.getName(), new TreeMap<>(Map.of("pes",
                Integer.toString(pes), "bytes", Long.toString(bytes), FileLife.SCHEME, scheme.name(),
                BenchmarkKey.METHOD, method))));
    }

    /** The same beside {@link DatasetsLife}: redset's {@code apply} of as many files. */
    public static JmhResults readCheckpoints(Path times, int pes, long bytes, int files) throws IOException {
        List<Double> apply = ProgramTimes.read(times, List.of(FileLife.APPLY, FileLife.RECOVER))
                .getOrDefault(FileLife.APPLY, List.of());
        return results(Map.of(DatasetsLife.CHECKPOINT, apply), new BenchmarkKey(DatasetsLife.class.getName(),
                new TreeMap<>(Map.of("pes", Integer.toString(pes), "bytes", Long.toString(bytes), DatasetsLife.FILES,
                        Integer.toString(files), BenchmarkKey.METHOD, METHOD))));
    }

    private static JmhResults results(Map<String, List<Double>> operations, BenchmarkKey key) {
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        operations.forEach((operation, times) -> FileLife.calls(times).forEach((calls, some) -> millis
                .put(new BenchmarkKey(key.benchmark() + "." + operation, key.params()).with(JobLife.CALLS, calls),
                        some)));
        return JmhResults.ofMillis(millis);
    }
}
