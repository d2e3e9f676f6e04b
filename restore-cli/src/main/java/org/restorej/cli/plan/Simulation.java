package org.restorej.cli.plan;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.restorej.cli.risk.LossScenario;
import org.restorej.cli.risk.LossSimulator;
import org.restorej.cli.risk.SimulatedLosses;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.Placement;

/**
 * What is simulated.
 *
 * @param layout the cluster
 * @param unit what fails as a whole
 * @param replication level K
 * @param maxFailures a trial ends with so many failed units
 * @param replenishAfter so many failures come between two replenishments; 0 for no replenishment
 * @param ringPoints points of a PE on the ring that replenishing goes by
 * @param trials how many
 * @param seed chooses failures and ring
 */
record Simulation(ClusterLayout layout, FailureUnit unit, int replication, int maxFailures, int replenishAfter,
        int ringPoints, int trials, long seed) {
    /** Runs the trials on some threads; {@code progress} gets the number done. */
    SimulatedLosses run(int threads, IntConsumer progress) {
        return new LossSimulator(scenario(), seed).run(trials, threads, progress);
    }

    /** Whether lost replicas are made anew. */
    boolean replenishes() {
        return replenishAfter > 0;
    }

    /** For which numbers of failures there is a line. */
    List<Integer> failureCounts() {
        return IntStream
                .concat(FailureCounts.of(layout.count(unit)).stream().mapToInt(Integer::intValue)
                        .filter(count -> count < maxFailures), IntStream.of(maxFailures))
                .boxed().toList();
    }

    /** Who holds what: as many blocks as all PEs have ring points, so that no piece between two points is empty. */
    Placement placement() {
        return layout.placement((long) layout.pes() * ringPoints, replication);
    }

    private LossScenario scenario() {
        Placement placement = placement();
        LossScenario scenario = LossScenario.of(placement, layout.domains(unit)).upTo(maxFailures);
        return replenishes()
                ? scenario.replenishedAfter(replenishAfter, new ReplicaRing(placement, ringPoints, seed))
                : scenario;
    }
}
