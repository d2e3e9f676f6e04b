package org.restorej.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.command.Redundancy;
import org.restorej.cli.risk.LossScenario;
import org.restorej.cli.risk.LossSimulator;
import org.restorej.cli.risk.SimulatedLosses;
import org.restorej.internal.risk.LossRisk;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

class PlannedLossTest {
    private static LossRisk ofPes(int pes, Redundancy redundancy) {
        return PlannedLoss.of(new Placement(pes, 100L * pes, redundancy.parts()), FailureDomains.consecutive(pes, 1),
                redundancy);
    }

    @Test
    void staysAboveWhatTrialsFindWhereNodesStraddleTheShift() {
        Placement placement = new Placement(500, 50_000, 4);
        FailureDomains nodes = FailureDomains.consecutive(500, 10);
        SimulatedLosses simulated = new LossSimulator(LossScenario.of(placement, nodes), 42).run(20_000);
        LossRisk risk = PlannedLoss.of(placement, nodes, Redundancy.copies(4));
        for (int failures = 4; failures <= 12; failures += 2) {
            Probability bound = risk.afterFailures(failures);
            assertTrue(simulated.lossProbability(failures).low() <= bound.value(), "after " + failures);
        }
        assertFalse(risk.afterFailures(12).isExact());
    }

    /** All parts of a range on one node: one group of one for each node that has such ranges. */
    @Test
    void partsThatShareANodeFailTogether() {
        FailureDomains nodes = FailureDomains.of(IntStream.range(0, 96).map(rank -> rank % 24).toArray());
        for (Redundancy redundancy : new Redundancy[]{Redundancy.copies(4), new Redundancy(2, 2, true)}) {
            LossRisk risk = PlannedLoss.of(new Placement(96, 9600, 4), nodes, redundancy);
            assertEquals(24, risk.groups());
            assertEquals(Probability.exactly(1), risk.afterFailures(1));
        }
    }

    @ParameterizedTest
    @CsvSource({"480, 3", "100000, 2", "4194304, 4"})
    void theMeanIsThatOfTheProductFormula(int pes, int replication) {
        int multiple = pes - pes % replication;
        double product = (multiple + 1.0) * IntStream.rangeClosed(1, multiple / replication)
                .mapToDouble(group -> 1 - 1 / (group * (double) replication + 1)).reduce(1, (a, b) -> a * b);
        double mean = PlannedLoss.meanFailures(ofPes(multiple, Redundancy.copies(replication)));
        assertTrue(mean <= product * (1 + 1e-6) && mean >= product * 0.998, () -> mean + " instead of " + product);
    }
}
