package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.restorej.bench.result.BenchmarkKey;

/**
 * What each rank runs to measure how a job protects files by one scheme: alternately it applies redundancy, loses what
 * the first ranks have, and recovers it. Nothing is warmed up, so this is not JMH. The first rank writes results down
 * as JMH would.
 */
public final class FileLife {
    /** The third call. */
    public static final String THIRD = "3";
    /** Name of the parameter that tells how files are protected. */
    public static final String SCHEME = "scheme";
    /** How often each operation is called. */
    public static final int TURNS = 8;
    static final String APPLY = "apply";
    static final String RECOVER = "recover";

    private final RankWorld ranks;
    private final long bytes;
    private final LifeResults results;

    private FileLife(RankWorld ranks, long bytes, LifeResults results) {
        this.ranks = ranks;
        this.bytes = bytes;
        this.results = results;
    }

    /**
     * Measures. Arguments: the file for the results, bytes of a rank's file, the scheme, and a name for how the JVM was
     * started.
     */
    public static void main(String[] args) {
        RankWorld ranks = RankWorld.open();
        long bytes = Long.parseLong(args[1]);
        LifeResults results = new LifeResults(FileLife.class, ranks.size(), bytes, args[3]);
        results.measure(ranks, Path.of(args[0]),
                () -> new FileLife(ranks, bytes, results).live(FileScheme.valueOf(args[2])));
    }

    private void live(FileScheme scheme) {
        List<Double> apply = new ArrayList<>();
        List<Double> recover = new ArrayList<>();
        try (ProtectedFiles files = new ProtectedFiles(ranks, scheme.scheme(), bytes, scheme.lostRanks())) {
            for (int turn = 0; turn < TURNS; turn++) {
                apply.add(ranks.millis(files::protect));
                files.lose();
                recover.add(ranks.millis(files::recover));
            }
            files.check();
        }
        Map<String, String> params = Map.of(SCHEME, scheme.name(), BenchmarkKey.METHOD, "restore");
        operations(Map.of(APPLY, apply, RECOVER, recover)).forEach((operation, all) -> calls(all)
                .forEach((calls, times) -> results.note(operation, calls, times, params)));
    }

    /** Times of both operations, and, turn by turn, of both together. */
    static Map<String, List<Double>> operations(Map<String, List<Double>> millis) {
        List<Double> apply = millis.getOrDefault(APPLY, List.of());
        List<Double> recover = millis.getOrDefault(RECOVER, List.of());
        Map<String, List<Double>> all = new LinkedHashMap<>();
        all.put(APPLY, apply);
        all.put(RECOVER, recover);
        all.put("together", IntStream.range(0, apply.size()).mapToObj(turn -> apply.get(turn) + recover.get(turn))
                .toList());
        return all;
    }

    /** Times of all turns, by which calls they are told apart. */
    static Map<String, List<Double>> calls(List<Double> millis) {
        Map<String, List<Double>> calls = new LinkedHashMap<>();
        calls.put(JobLife.FIRST, millis.subList(0, 1));
        calls.put(THIRD, millis.subList(2, 3));
        calls.put(JobLife.WARM, millis.subList(3, millis.size()));
        return calls;
    }
}
