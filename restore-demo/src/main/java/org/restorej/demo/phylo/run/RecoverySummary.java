package org.restorej.demo.phylo.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.restorej.loop.Recovery;

/**
 * A recovery. A time is the maximum over the survivors, so the phases may add up to more than the total.
 *
 * @param iteration which one had to be repeated; 0 in the run without failures that came before
 * @param failedRanks original ranks of the failed PEs
 * @param survivors PEs left
 * @param pulledBlocks blocks that PEs took over
 * @param pulledBytes their bytes
 * @param failureNanos when it began, since the first iteration did
 * @param detectionNanos from the failure until the last survivor knew; null for an unplanned failure
 * @param phaseNanos the phases of recovery
 * @param totalNanos from the failure, or where that isn't known from its detection, until all could work again
 */
public record RecoverySummary(int iteration, List<Integer> failedRanks, int survivors, long pulledBlocks,
        long pulledBytes, long failureNanos, @Nullable Long detectionNanos, Map<Recovery.Phase, Long> phaseNanos,
        long totalNanos) {
    /** Copies what can change. */
    public RecoverySummary {
        failedRanks = List.copyOf(failedRanks);
        phaseNanos = Map.copyOf(phaseNanos);
    }

    /** Time of some phases together. */
    public long nanos(Recovery.Phase... phases) {
        long sum = 0;
        for (Recovery.Phase phase : phases) {
            sum += phaseNanos.getOrDefault(phase, 0L);
        }
        return sum;
    }
}
