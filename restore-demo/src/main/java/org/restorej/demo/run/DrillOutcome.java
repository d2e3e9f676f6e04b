package org.restorej.demo.run;

import java.util.List;
import org.restorej.block.BlockRanges;

/**
 * How a drill ended: a program ran once without the store and without failures, and once with both. The same on every
 * survivor.
 *
 * @param <R> the program's result, with an {@code equals} that compares every bit
 */
public sealed interface DrillOutcome<R> {
    /** What has been recovered from, in order. */
    List<RecoverySummary> recoveries();

    /** PEs left. */
    int survivors();

    /** Exit code of the program. */
    int exitCode();

    /**
     * How long it took, on the PE that took longest.
     *
     * @param plainNanos the iterations without the store and without failures
     * @param submitNanos building the store and submitting, loading their classes included
     * @param iterationNanos the iterations with failures, recoveries included
     */
    record Times(long plainNanos, long submitNanos, long iterationNanos) {
        /** What the store and the failures cost, relative to the time without: 0.1 is ten per cent. */
        public double overhead() {
            return (double) (submitNanos + iterationNanos) / Math.max(1, plainNanos) - 1;
        }
    }

    /**
     * The run reached its end.
     *
     * @param recoveries what has been recovered from
     * @param survivors PEs left
     * @param result with failures
     * @param reference without
     * @param times of both
     */
    record Finished<R>(List<RecoverySummary> recoveries, int survivors, R result, R reference,
            Times times) implements DrillOutcome<R> {
        /** Copies what can change. */
        public Finished {
            recoveries = List.copyOf(recoveries);
        }

        /** Whether failures have left no trace in the result, to the last bit. */
        public boolean agrees() {
            return result.equals(reference);
        }

        @Override
        public int exitCode() {
            return agrees() ? 0 : 1;
        }
    }

    /**
     * All holders of some blocks died.
     *
     * @param recoveries what had been recovered from before
     * @param survivors PEs left
     * @param iteration which one couldn't be done
     * @param failedRanks original ranks of all who died
     * @param lostBlocks blocks that nobody has
     */
    record BlocksLost<R>(List<RecoverySummary> recoveries, int survivors, int iteration, List<Integer> failedRanks,
            BlockRanges lostBlocks) implements DrillOutcome<R> {
        /** Copies what can change. */
        public BlocksLost {
            recoveries = List.copyOf(recoveries);
            failedRanks = List.copyOf(failedRanks);
        }

        @Override
        public int exitCode() {
            return 1;
        }
    }
}
