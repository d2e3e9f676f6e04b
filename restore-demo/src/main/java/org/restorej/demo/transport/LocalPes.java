package org.restorej.demo.transport;

import java.util.List;
import java.util.function.Function;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.demo.run.PeTask;

/** Runs a demo on threads of this JVM. */
public final class LocalPes {
    /** {@link LocalCluster} has no more. */
    public static final int MAX_PES = 4096;

    private LocalPes() {}

    /**
     * Runs a task on all PEs.
     *
     * @param pes number of PEs, 1 to {@link #MAX_PES}
     * @param task makes each PE's
     * @return what the lowest rank alive handed back
     */
    public static <R> R run(int pes, Function<Communicator, PeTask<R>> task) {
        try (LocalCluster cluster = LocalCluster.builder(pes).build()) {
            List<R> results = PeOutcome.values(cluster.run(world -> task.apply(world).run()));
            return results.getFirst();
        }
    }
}
