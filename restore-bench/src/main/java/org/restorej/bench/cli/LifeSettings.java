package org.restorej.bench.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is chosen of the lives of jobs.
 *
 * @param jobs how many of each kind
 * @param pes numbers of ranks, ascending
 * @param bytes data of a rank
 * @param turns how often each operation is called
 * @param cpp the folder with the headers of C++ ReStore, when that is to be measured, too
 * @param redset where LLNL's redset is installed, when that is to be measured, too
 * @param only leaves out jobs in whose names this is not found
 */
record LifeSettings(int jobs, List<Integer> pes, long bytes, int turns, Optional<Path> cpp, Optional<Path> redset,
        Pattern only) {
    private static final int FILE_FACTOR = 4;

    /** Copies. */
    LifeSettings {
        pes = List.copyOf(pes);
    }

    boolean isWanted(String job) {
        return only.matcher(job).find();
    }

    /** Of a rank's files: a state and what it was made from take some times the data. */
    long fileBytes() {
        return FILE_FACTOR * bytes;
    }
}
