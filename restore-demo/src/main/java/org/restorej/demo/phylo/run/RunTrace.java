package org.restorej.demo.phylo.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run. Times are in nanoseconds since its first iteration began.
 * Immutable.
 *
 * @param pes number of PEs at the start
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
     * @param failedRanks original ranks of the PEs that failed since the last recovery
     * @param iteration in which they failed
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
