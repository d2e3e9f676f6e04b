package org.restorej.demo.run;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.restorej.loop.Recovery;

/**
 * A recovery as all survivors together saw it. A time is that of the PE that took longest, so the phases may add up to
 * more than the total.
 *
 * @param iteration which one had to be repeated; 0 in the run without failures that came before
 * @param failedRanks original ranks of those who failed
 * @param survivors PEs left
 * @param pulledBlocks blocks that PEs took over
 * @param pulledBytes their bytes
 * @param detectionNanos from the failure until the last survivor knew; empty for a failure that nobody had planned
 * @param phaseNanos the phases of recovery
 * @param totalNanos from the failure, or where that isn't known from its detection, until all could work again
 */
public record RecoverySummary(int iteration, List<Integer> failedRanks, int survivors, long pulledBlocks,
        long pulledBytes, OptionalLong detectionNanos, Map<Recovery.Phase, Long> phaseNanos, long totalNanos) {
    /** Copies what can change. */
    public RecoverySummary {
        failedRanks = List.copyOf(failedRanks);
        phaseNanos = Map.copyOf(phaseNanos);
    }
}
