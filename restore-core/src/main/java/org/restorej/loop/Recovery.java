package org.restorej.loop;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.placement.FailedRanks;

/**
 * What a loop did after a failure, as one PE saw it.
 *
 * @param newlyFailed store ranks that have failed since the previous recovery
 * @param failedRanks all store ranks that have failed
 * @param survivors number of PEs that have not failed
 * @param gainedBlocks number of blocks that this PE has gained, of the data that the loop keeps first
 * @param gainedBytes bytes that this PE has read, of gained blocks and of all its blocks that change; includes attempts
 *        that a further failure has ended
 * @param nanos duration of each phase on this PE
 */
public record Recovery(FailedRanks newlyFailed, FailedRanks failedRanks, int survivors, long gainedBlocks,
        long gainedBytes, Map<Phase, Long> nanos) {
    /** The phases of a recovery, in order. */
    public enum Phase {
        /** Revoke and shrink the communicator. */
        SHRINK,
        /** The stores record which PEs have failed, and the balancers propose assignments. */
        RECOVER,
        /** The proposals take effect. */
        BALANCE,
        /** Blocks are read from other PEs' memory. */
        PULL,
        /** The application takes the blocks over. */
        TAKE_OVER,
        /** Re-replication of lost replicas starts; it continues while the application computes. */
        REPLENISH
    }

    /** Copies {@code nanos}. */
    public Recovery {
        nanos = Map.copyOf(nanos);
    }

    /** Nanoseconds of a phase; 0 if it was not reached. */
    public long nanos(Phase phase) {
        return nanos.getOrDefault(phase, 0L);
    }

    /** Nanoseconds from the detection of the failure by this PE until it could compute again. */
    public long totalNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A line for a log: which ranks have failed, what this PE has gained, and the duration of each phase. */
    @Override
    public String toString() {
        String phases = Stream.of(Phase.values()).filter(nanos::containsKey)
                .map(phase -> phase.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + millis(nanos(phase)))
                .collect(Collectors.joining(", "));
        return (newlyFailed.size() == 0
                ? "recovered without a further failed PE"
                : "recovered from the failure of store "
                        + (newlyFailed.size() == 1 ? "rank " : "ranks ") + newlyFailed)
                + ": " + survivors + (survivors == 1 ? " PE left, " : " PEs left, ") + gainedBlocks
                + (gainedBlocks == 1 ? " block" : " blocks") + " gained here (" + gainedBytes + " bytes), in "
                + millis(totalNanos()) + (phases.isEmpty() ? "" : ": " + phases);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos * 1e-6);
    }
}
