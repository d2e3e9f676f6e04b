package org.restorej.comm.testing;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/** Runs programs on PEs that are threads; one that hangs is ended after a minute, with the stacks of all PEs. */
public final class LimitedRun {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private LimitedRun() {}

    /** How the program has ended on each PE. */
    public static <T extends @Nullable Object> List<PeOutcome<T>> outcomes(int pes, PeProgram<T> program) {
        try (LocalCluster cluster = LocalCluster.builder(pes).timeout(LIMIT).build()) {
            return cluster.run(program);
        }
    }

    /** What the PEs that have not failed return; throws what one has thrown. */
    public static <T extends @Nullable Object> List<T> values(int pes, PeProgram<T> program) {
        return PeOutcome.values(outcomes(pes, program));
    }
}
