package org.restorej.bench.cli;

import java.util.List;

/**
 * One start of {@code mpirun}.
 *
 * @param pes number of ranks
 * @param runs what they do one after another; at least one
 */
record MpiJob(int pes, List<JmhRun> runs) {
    /** Copies. */
    MpiJob {
        runs = List.copyOf(runs);
    }
}
