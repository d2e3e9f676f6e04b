package org.restorej.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many iterations lie between two checkpoints. */
class CheckpointIntervalTest {
    @Test
    void aFixedNumberOfIterationsNeedsNoTimes() {
        CheckpointInterval interval = CheckpointInterval.iterations(7);
        assertFalse(interval.dependsOnTimes());
        assertEquals(7, interval.firstIterations());
        assertEquals(7, interval.iterations(100, 100, 7));
    }

    @Test
    void anIntervalOfTimeBeginsWithOneIterationAndAtMostDoubles() {
        CheckpointInterval interval = CheckpointInterval.time(Duration.ofSeconds(60));
        assertTrue(interval.dependsOnTimes());
        assertEquals(1, interval.firstIterations());
        assertEquals(2, interval.iterations(1, 0, 1));
        assertEquals(60, interval.iterations(1, 0, 32));
        assertEquals(6, interval.iterations(10, 0, 32), "slower iterations, at once");
        assertEquals(1, interval.iterations(600, 0, 32), "at least one");
        assertEquals(64, interval.iterations(0, 0, 32), "iterations that take no time");
        assertEquals(1L << 40, CheckpointInterval.time(Duration.ofDays(36_500)).iterations(0, 0, 1L << 40),
                "no overflow");
    }

    @Test
    void dalysIntervalFollowsFromTheCostOfACheckpoint() {
        CheckpointInterval interval = CheckpointInterval.daly(Duration.ofHours(1));
        assertEquals(Math.round(CheckpointInterval.dalySeconds(0.5, 3600) / 0.25),
                interval.iterations(0.25, 0.5, 1000));
    }

    @Test
    void eachLevelOfStorageIsDueByWhatItsOwnSavesCost() {
        CheckpointInterval interval = CheckpointInterval.daly(Duration.ofHours(1));
        assertTrue(interval.isDue(1, 300, 0.5), "61 s are over");
        assertFalse(interval.isDue(1, 300, 60), "618 s are not");
        assertTrue(interval.isDue(1, 700, 60));
        assertFalse(interval.isDue(1, 30, 0.5));
    }

    @Test
    void noOtherIntervalIsMuchBetter() {
        for (double cost : new double[]{0.01, 1, 60, 600}) {
            double mean = 3600;
            double chosen = expectedSlowdown(CheckpointInterval.dalySeconds(cost, mean), cost, mean);
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
        assertEquals(Math.sqrt(2 * 1e-6 * 1e6), CheckpointInterval.dalySeconds(1e-6, 1e6), 1e-4);
        // By hand, from Daly's paper: 657.27 * (1 + 0.030429 + 0.000926) - 60.
        assertEquals(617.88, CheckpointInterval.dalySeconds(60, 3600), 0.01);
    }

    @Test
    void dearCheckpointsAreMadeOnceAFailure() {
        assertEquals(10, CheckpointInterval.dalySeconds(20, 10));
        assertEquals(10, CheckpointInterval.dalySeconds(1e9, 10));
    }

    @Test
    void wrongIntervalsAreRefused() {
        assertEquals("iterations must be at least 1: iterations=0",
                assertThrows(IllegalArgumentException.class, () -> CheckpointInterval.iterations(0)).getMessage());
        assertEquals("interval must be longer than zero: interval=PT0S",
                assertThrows(IllegalArgumentException.class, () -> CheckpointInterval.time(Duration.ZERO))
                        .getMessage());
        assertEquals("meanTimeBetweenFailures must be longer than zero: meanTimeBetweenFailures=PT-1S",
                assertThrows(IllegalArgumentException.class, () -> CheckpointInterval.daly(Duration.ofSeconds(-1)))
                        .getMessage());
    }
}
