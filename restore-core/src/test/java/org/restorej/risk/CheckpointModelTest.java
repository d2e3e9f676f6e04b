package org.restorej.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Daly's interval against the exact expectation of the running time that it approximates. */
class CheckpointModelTest {
    @Test
    void noOtherIntervalIsMuchBetter() {
        for (double cost : new double[]{0.01, 1, 60, 600}) {
            double mean = 3600;
            double chosen = expectedSlowdown(CheckpointModel.dalyInterval(cost, mean), cost, mean);
            for (double interval = 1; interval < 5 * mean; interval *= 1.01) {
                assertTrue(chosen <= expectedSlowdown(interval, cost, mean) * 1.001,
                        "cost " + cost + ": an interval of " + interval + " s is better");
            }
        }
    }

    /** Daly's equation for the whole running time, by the time that is computed; failures come at random. */
    private static double expectedSlowdown(double interval, double cost, double mean) {
        return mean * Math.expm1((interval + cost) / mean) / interval;
    }

    @Test
    void cheapCheckpointsGiveYoungsInterval() {
        assertEquals(Math.sqrt(2 * 1e-6 * 1e6), CheckpointModel.dalyInterval(1e-6, 1e6), 1e-4);
    }

    @Test
    void dearCheckpointsAreMadeOnceAFailure() {
        assertEquals(10, CheckpointModel.dalyInterval(20, 10));
        assertEquals(10, CheckpointModel.dalyInterval(1e9, 10));
    }

    @Test
    void wrongTimesAreRefused() {
        assertEquals("checkpointSeconds must be at least 0: checkpointSeconds=NaN",
                assertThrows(IllegalArgumentException.class, () -> CheckpointModel.dalyInterval(Double.NaN, 1))
                        .getMessage());
        assertEquals("meanSecondsBetweenFailures must be above 0: meanSecondsBetweenFailures=0.0",
                assertThrows(IllegalArgumentException.class, () -> CheckpointModel.dalyInterval(1, 0)).getMessage());
    }
}
