package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What each rank runs to measure how a job protects files by one scheme: alternately it applies redundancy, loses what
 * the first ranks have, and recovers it. Nothing is warmed up, so this is not JMH.
 */
public final class FileLife {
    /** How often each operation is called. */
    public static final int TURNS = 8;

    private FileLife() {}

    /** Measures. Arguments: the file for the times, bytes of a rank's file, and the scheme. */
    public static void main(String[] args) {
        RankWorld.live(Path.of(args[0]), ranks -> times(ranks, Long.parseLong(args[1]), FileScheme.valueOf(args[2])));
    }

    private static Map<String, List<Double>> times(RankWorld ranks, long bytes, FileScheme scheme) {
        List<Double> apply = new ArrayList<>();
        List<Double> recover = new ArrayList<>();
        try (ProtectedFiles files = new ProtectedFiles(ranks, scheme, bytes, true)) {
            for (int turn = 0; turn < TURNS; turn++) {
                apply.add(ranks.millis(files::protect));
                files.lose();
                recover.add(ranks.millis(files::recover));
            }
            files.check();
        }
        return Map.of("apply", apply, "recover", recover);
    }
}
