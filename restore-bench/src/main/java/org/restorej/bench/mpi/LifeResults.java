package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;
import org.restorej.comm.mpi.Mpi;

/** What a job notes of its calls, written down as JMH would. One thread. */
final class LifeResults {
    private static final int EARLY_CALLS = 20;

    private final Class<?> program;
    private final Map<String, String> params;
    private final List<JmhResults.Timed> results = new ArrayList<>();

    /**
     * No results yet.
     *
     * @param program which measures
     * @param bytes of a rank
     * @param setting how the JVM was started
     */
    LifeResults(Class<?> program, int pes, long bytes, String setting) {
        this.program = program;
        params = Map.of("pes", Integer.toString(pes), "bytes", Long.toString(bytes), JobLife.SETTING, setting);
    }

    /**
     * Measures, and ends the job: the first rank has written the results to a file then. A wrong byte, or a file that
     * can't be written, is exit code 1.
     */
    void measure(RankWorld ranks, Path file, Runnable life) {
        try {
            life.run();
            if (ranks.rank() == 0) {
                write(file);
            }
        } catch (WrongBytesException | UncheckedIOException failure) {
            failure.printStackTrace();
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
        Mpi.finish(ranks.communicator());
    }

    /**
     * Notes all calls of an operation: the first one, those of a job's beginning, and the later ones.
     *
     * @param part has at least one
     * @param bytes what was counted besides, by name: stands with the first call
     */
    void noteCalls(LifePart part, Map<String, Long> bytes) {
        byCalls(part.millis()).forEach((calls, times) -> note(part.name(), calls, times, part.params(),
                calls.equals(JobLife.FIRST) ? bytes : Map.of()));
    }

    /** Times of all calls of another program's operation, as those of {@link JobLife}, by which calls they are. */
    static Map<BenchmarkKey, List<Double>> ofProgram(String operation, int pes, long bytes, String method,
            List<Double> millis) {
        BenchmarkKey key = new BenchmarkKey(JobLife.class.getName() + "." + operation,
                new TreeMap<>(Map.of("pes", Integer.toString(pes), "bytes", Long.toString(bytes), BenchmarkKey.METHOD,
                        method)));
        Map<BenchmarkKey, List<Double>> keyed = new LinkedHashMap<>();
        byCalls(millis).forEach((calls, times) -> keyed.put(key.with(JobLife.CALLS, calls), times));
        return keyed;
    }

    /** Times of all calls, at least one, by which calls they are told apart; without those that there are none of. */
    private static Map<String, List<Double>> byCalls(List<Double> millis) {
        int early = Math.min(EARLY_CALLS, millis.size());
        Map<String, List<Double>> byCalls = new LinkedHashMap<>();
        byCalls.put(JobLife.FIRST, millis.subList(0, 1));
        byCalls.put(JobLife.EARLY, millis.subList(1, early));
        byCalls.put(JobLife.WARM, millis.subList(early, millis.size()));
        byCalls.values().removeIf(List::isEmpty);
        return byCalls;
    }

    /** Notes times, and nothing besides; see {@link #note(String, String, List, Map, Map)}. */
    void note(String name, String calls, List<Double> millis, Map<String, String> further) {
        note(name, calls, millis, further, Map.of());
    }

    /**
     * Notes times; nothing without any.
     *
     * @param name of the operation
     * @param calls which calls these are
     * @param further parameters
     * @param bytes what was counted besides, by name
     */
    void note(String name, String calls, List<Double> millis, Map<String, String> further, Map<String, Long> bytes) {
        if (!millis.isEmpty()) {
            SortedMap<String, String> all = new TreeMap<>(params);
            all.putAll(further);
            all.put(JobLife.CALLS, calls);
            results.add(new JmhResults.Timed(new BenchmarkKey(program.getName() + "." + name, all), millis, bytes));
        }
    }

    private void write(Path file) {
        try {
            JmhResults.of(results).write(file);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
