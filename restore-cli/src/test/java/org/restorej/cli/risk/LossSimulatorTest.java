package org.restorej.cli.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.risk.LossRisk;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

class LossSimulatorTest {
    /** 99.9 %, as quantile of the normal distribution. */
    private static final double CONFIDENCE = 3.290527;

    /** The bound is close where a loss is unlikely, and never below what trials find. */
    @ParameterizedTest
    @CsvSource({"101, 3", "1022, 4", "1023, 4"})
    void staysBelowTheBoundWhereKDoesNotDivideP(int peCount, int replication) {
        LossRisk formula = LossRisk.ofPlacement(peCount, replication, replication);
        SimulatedLosses simulated = simulate(ofPes(placement(peCount, replication)), 20_000);
        for (int failures = replication; failures < peCount; failures += 1 + failures / 5) {
            double bound = formula.afterFailures(failures).value();
            ConfidenceInterval found = simulated.lossProbability(failures, CONFIDENCE);
            assertTrue(found.low() <= bound, "after " + failures);
            assertTrue(bound > 0.05 || found.high() >= bound / 1.1, "after " + failures);
        }
    }

    @Test
    void agreesWithTheExactProbabilityForWholeNodes() {
        Placement placement = placement(24 * 40, 3);
        FailureDomains nodes = FailureDomains.consecutive(24 * 40, 8);
        SimulatedLosses simulated = simulate(LossScenario.of(placement, nodes).upTo(30), 20_000);
        LossRisk formula = LossRisk.ofPlacement(120, 3, 3);
        for (int failures : new int[]{5, 10, 20, 30}) {
            assertContains(simulated.lossProbability(failures, CONFIDENCE), formula.afterFailures(failures).value(),
                    "after " + failures);
        }
    }

    /** All fail at once, so nothing is made anew before: the replicaMap must give what the formula gives. */
    @Test
    void agreesWithTheFormulaWhenReplenishmentComesTooLate() {
        Placement placement = placement(60, 3);
        LossScenario scenario = ofPes(placement).upTo(12).replenishedAfter(12, ring(placement));
        assertContains(simulate(scenario, 5_000).lossProbability(12, CONFIDENCE),
                LossRisk.ofPlacement(60, 3, 3).afterFailures(12).value(), "all at once");
    }

    @Test
    void nothingIsLostWhenFewerThanKFailBetweenReplenishments() {
        Placement placement = placement(30, 3);
        LossScenario scenario = ofPes(placement).upTo(27).replenishedAfter(2, ring(placement));
        assertEquals(0, simulate(scenario, 200).lossProbability(27).estimate());
        // As many as K at once may lose something.
        LossScenario worse = ofPes(placement).upTo(27).replenishedAfter(3, ring(placement));
        assertTrue(simulate(worse, 200).lossProbability(27).low() > 0.1);
    }

    @Test
    void rangesWithoutBlocksAreNotLost() {
        // Only ranges 0 to 2 have blocks: on PEs 0, 10, 1, 11, 2, 12.
        SimulatedLosses losses = simulate(ofPes(new Placement(20, 3, 2)).upTo(2), 20_000);
        assertContains(losses.lossProbability(2, CONFIDENCE), 3 / 190.0, "three pairs of 190");
    }

    @Test
    void aMillionPesAgreeWithTheFormula() {
        SimulatedLosses simulated = simulate(ofPes(placement(3 << 18, 3)), 100);
        LossRisk formula = LossRisk.ofPlacement(3 << 18, 3, 3);
        for (int failures : new int[]{5000, 10_000, 20_000}) {
            assertContains(simulated.lossProbability(failures, CONFIDENCE), formula.afterFailures(failures).value(),
                    "after " + failures);
        }
    }

    @Test
    void wilsonsIntervalIsAsInTheLiterature() {
        // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I: 81/263, 15/148, 0/20,
        // 1/29.
        assertInterval(0.2553, 0.3662, ConfidenceInterval.wilson(81, 263, ConfidenceInterval.CONFIDENCE_95));
        assertInterval(0.0624, 0.1605, ConfidenceInterval.wilson(15, 148, ConfidenceInterval.CONFIDENCE_95));
        assertInterval(0.0000, 0.1611, ConfidenceInterval.wilson(0, 20, ConfidenceInterval.CONFIDENCE_95));
        assertInterval(0.0061, 0.1718, ConfidenceInterval.wilson(1, 29, ConfidenceInterval.CONFIDENCE_95));
    }

    private static void assertInterval(double low, double high, ConfidenceInterval interval) {
        assertEquals(low, interval.low(), 5e-5);
        assertEquals(high, interval.high(), 5e-5);
    }

    @Test
    void wrongArgumentsAreNamed() {
        LossScenario scenario = ofPes(placement(10, 2));
        assertRejected("maxFailures must be in 1..10, the number of failure domains: maxFailures=11",
                () -> scenario.upTo(11));
        assertRejected("failuresAtOnce must be at least 1: failuresAtOnce=0",
                () -> scenario.replenishedAfter(0, ring(scenario.placement())));
        LossSimulator simulator = new LossSimulator(scenario.upTo(3), 1);
        assertRejected("trials must be at least 1: trials=0", () -> simulator.run(0));
        SimulatedLosses losses = simulator.run(100);
        assertRejected("failures must be in 0..3, as simulated: failures=4", () -> losses.lossProbability(4));
        assertRejected("estimate must be in low..high: estimate=1.0, low=2.0, high=3.0",
                () -> new ConfidenceInterval(1, 2, 3));
        assertEquals(
                "every trial must end in a loss, but after 3 failures some have lost nothing: simulate more failures",
                assertThrows(IllegalStateException.class, () -> losses.expectedFailuresUntilLoss(2)).getMessage());
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }

    private static void assertContains(ConfidenceInterval interval, double value, String what) {
        assertTrue(interval.low() <= value && value <= interval.high(),
                () -> what + ": " + value + " is outside of " + interval);
    }

    private static SimulatedLosses simulate(LossScenario scenario, int trials) {
        return new LossSimulator(scenario, 42).run(trials);
    }

    private static Placement placement(int peCount, int replication) {
        return new Placement(peCount, 100L * peCount, replication);
    }

    private static ReplicaRing ring(Placement placement) {
        return new ReplicaRing(placement, 4, 1);
    }

    /** PEs fail one by one. */
    private static LossScenario ofPes(Placement placement) {
        return LossScenario.of(placement, FailureDomains.consecutive(placement.peCount(), 1));
    }
}
