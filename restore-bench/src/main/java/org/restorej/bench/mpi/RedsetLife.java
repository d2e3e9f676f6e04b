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

/** Reads what the program {@code redset_life.c} writes, which lives as {@link FileLife} does with LLNL's redset. */
public final class RedsetLife {
    /** The method of its measurements. */
    public static final String METHOD = CompiledRival.REDSET.text();

    private RedsetLife() {}

    /**
     * Reads times.
     *
     * @param times what the program has written
     * @param bytes of a rank's file
     * @return what JMH would have written of them
     * @throws IOException when the file can't be read, or is not what the program writes; the message names the file
     */
    public static JmhResults read(Path times, int pes, long bytes, FileScheme scheme) throws IOException {
        Map<String, List<Double>> calls = ProgramTimes.read(times, List.of(FileLife.APPLY, FileLife.RECOVER));
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        FileLife.operations(calls).forEach((operation, ofOperation) -> {
            BenchmarkKey key = new BenchmarkKey(FileLife.class.getName() + "." + operation,
                    new TreeMap<>(Map.of("pes", Integer.toString(pes), "bytes", Long.toString(bytes), FileLife.SCHEME,
                            scheme.name(), BenchmarkKey.METHOD, METHOD)));
            FileLife.calls(ofOperation).forEach((which, some) -> millis.put(key.with(JobLife.CALLS, which), some));
        });
        return JmhResults.ofMillis(millis);
    }
}
