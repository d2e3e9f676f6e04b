package org.restorej.bench.report;

import java.util.List;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.JobLife;

/**
 * How long protecting and recovering files may take together, next to redset: 4 ranks on two cores, 64 MiB each, files
 * in memory. redset's own times come from another run, of its C library in a job that did nothing else, by turns with
 * this library.
 *
 * @param scheme how files are protected; RS has two checksums
 * @param calls which calls, as a job counts them
 * @param redsetSeconds what redset took for both
 * @param most how many times as long this may take
 */
record RedsetGoal(String scheme, String calls, double redsetSeconds, double most) {
    static final List<RedsetGoal> ALL = List.of(
            new RedsetGoal("XOR", JobLife.FIRST, 0.14 + 0.11, 2),
            new RedsetGoal("XOR", FileLife.THIRD, 0.11 + 0.11, 0.9),
            new RedsetGoal("RS", JobLife.FIRST, 0.50 + 0.75, 0.8),
            new RedsetGoal("RS", FileLife.THIRD, 0.44 + 0.73, 0.4));

    /** Those for calls that are not the first. */
    static List<RedsetGoal> later() {
        return ALL.stream().filter(goal -> !goal.calls().equals(JobLife.FIRST)).toList();
    }
}
