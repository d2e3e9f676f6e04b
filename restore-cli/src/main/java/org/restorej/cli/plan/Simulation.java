package org.restorej.cli.plan;

import java.util.List;
import java.util.stream.IntStream;
import org.restorej.cli.risk.LossScenario;
import org.restorej.cli.risk.LossSimulator;
import org.restorej.cli.risk.SimulatedLosses;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.Placement;

/**
 * The parameters of a simulation.
 *
 * @param layout the cluster
 * @param unit that fails as a whole
 * @param replication level K
 * @param maxFailures a trial ends with this many failed units
 * @param replenishAfter number of failures between two replenishments; 0 for no replenishment
 * @param trials number of trials
 * @param seed chooses failures and ring
 */
record Simulation(ClusterLayout layout, FailureUnit unit, int replication, int maxFailures, int replenishAfter,
        int trials, long seed) {
    /** Those of a store whose builder is told nothing. */
    private static final int RING_POINTS = 16;

    /** Runs the trials. */
    SimulatedLosses run() {
        return new LossSimulator(scenario(), seed).run(trials);
    }

    /** Whether lost replicas are re-replicated. */
    boolean replenishes() {
        return replenishAfter > 0;
    }

    /** The numbers of failures for which there is a line. */
    List<Integer> failureCounts() {
        return IntStream
                .concat(FailureCounts.of(layout.count(unit)).stream().mapToInt(Integer::intValue)
                        .filter(count -> count < maxFailures), IntStream.of(maxFailures))
                .boxed().toList();
    }

    /** The placement of as many blocks as all ranks have ring points, so that no interval between two points is empty. */
    Placement placement() {
        return layout.placement((long) layout.pes() * RING_POINTS, replication);
    }

    private LossScenario scenario() {
        Placement placement = placement();
        LossScenario scenario = LossScenario.of(placement, layout.domains(unit)).upTo(maxFailures);
        return replenishes()
                ? scenario.replenishedAfter(replenishAfter, new ReplicaRing(placement, RING_POINTS, seed))
                : scenario;
    }
}
