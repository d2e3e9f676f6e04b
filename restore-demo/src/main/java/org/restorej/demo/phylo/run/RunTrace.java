package org.restorej.demo.phylo.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened when in a run, as the survivors know it. Times are in nanoseconds since its first iteration began.
 * Immutable.
 *
 * @param pes how many began
 * @param recoveries in order of time
 * @param loss the failure that lost data and ended the run, if one did
 * @param values in order of time; none unless they are wanted
 * @param endNanos when the run ended
 */
public record RunTrace(int pes, List<RecoverySummary> recoveries, @Nullable Loss loss, List<Value> values,
        long endNanos) {
    /**
     * PEs failed, and data with them.
     *
     * @param failedRanks original ranks of those who failed, without those recovered from before
     * @param iteration in which
     */
    public record Loss(List<Integer> failedRanks, int iteration) {
        /** Copies what can change. */
        public Loss {
            failedRanks = List.copyOf(failedRanks);
        }
    }

    /**
     * How far the computation had come.
     *
     * @param iteration the one that was done
     * @param nanos when
     * @param value of it
     */
    public record Value(int iteration, long nanos, double value) {}

    /** Copies what can change. */
    public RunTrace {
        recoveries = List.copyOf(recoveries);
        values = List.copyOf(values);
    }
}
