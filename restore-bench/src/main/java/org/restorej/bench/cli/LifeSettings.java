package org.restorej.bench.cli;

import java.util.List;

/**
 * What is chosen of the lives of jobs.
 *
 * @param jobs how many of each kind
 * @param pes numbers of ranks, ascending
 * @param bytes data of a rank
 * @param turns how often each operation is called
 */
record LifeSettings(int jobs, List<Integer> pes, long bytes, int turns) {
    /** Copies. */
    LifeSettings {
        pes = List.copyOf(pes);
    }
}
