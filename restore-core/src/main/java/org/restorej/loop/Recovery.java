package org.restorej.loop;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.placement.FailedRanks;

/**
 * What a loop did after a failure, as one PE saw it.
 *
 * @param newlyFailed store ranks that failed since the recovery before
 * @param failedRanks all store ranks that have failed
 * @param survivors number of PEs left
 * @param gainedBlocks number of blocks that this PE has gained, of the data that the loop keeps first
 * @param gainedBytes bytes that this PE has read, also in attempts that a further failure has ended: of gained blocks,
 *        and of all its blocks that change
 * @param nanos how long each phase took on this PE
 */
public record Recovery(FailedRanks newlyFailed, FailedRanks failedRanks, int survivors, long gainedBlocks,
        long gainedBytes, Map<Phase, Long> nanos) {
    /** The phases of a recovery, in order. */
    public enum Phase {
        /** Revoke and shrink, until the survivors have a communicator. */
        SHRINK,
        /** The stores note which PEs have failed, and the balancers propose who is to have what. */
        RECOVER,
        /** The proposals come into force. */
        BALANCE,
        /** Gained blocks come from other PEs' memory. */
        PULL,
        /** The application takes them over. */
        TAKE_OVER,
        /** Lost replicas begin to be re-replicated, which goes on while the application computes. */
        REPLENISH
    }

    /** Copies {@code nanos}. */
    public Recovery {
        nanos = Map.copyOf(nanos);
    }

    /** Nanoseconds that a phase took; 0 for one that was not reached. */
    public long nanos(Phase phase) {
        return nanos.getOrDefault(phase, 0L);
    }

    /** Nanoseconds from when this PE noticed the failure until it could work again. */
    public long totalNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** In words, such as for a log: who has failed, what this PE has gained, and what took how long. */
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
