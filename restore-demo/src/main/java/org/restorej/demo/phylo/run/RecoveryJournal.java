package org.restorej.demo.phylo.run;

import java.util.Arrays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.loop.Recovery;

/**
 * What one PE notes about recoveries, until all survivors put their notes together. A recovery is complete on all of
 * them or on none, so that the notes of any two have the same recoveries in the same order.
 */
final class RecoveryJournal {
    /** Start, detection and total come before the phases. */
    private static final int TIMES = 3 + Recovery.Phase.values().length;

    private static final long UNKNOWN = -1;

    /** One recovery on this PE; it began at a {@link System#nanoTime}. */
    private record Entry(int iteration, Recovery recovery, long beganAt, long detectionNanos) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<RecoverySummary> summaries = new ArrayList<>();
    private long origin = System.nanoTime();
    private long failureNanoTime;
    private boolean failureKnown;

    /** Times count from now on. */
    void begin() {
        origin = System.nanoTime();
    }

    /** Time since the begin. */
    long now() {
        return System.nanoTime() - origin;
    }

    /** Somebody fails, now. */
    void noteFailure() {
        failureNanoTime = System.nanoTime();
        failureKnown = true;
    }

    /** A recovery of an iteration has just been completed. */
    void noteRecovery(Recovery recovery, int iteration) {
        long noticed = System.nanoTime() - recovery.totalNanos();
        long detectionNanos = failureKnown ? Math.max(0, noticed - failureNanoTime) : UNKNOWN;
        entries.add(new Entry(iteration, recovery, noticed - Math.max(0, detectionNanos), detectionNanos));
        failureKnown = false;
    }

    /** Whether there are notes to be put together; the same on all survivors. */
    boolean hasNews() {
        return entries.size() > summaries.size();
    }

    /** Puts the new notes together. Called by all survivors; changes nothing, so that it can be repeated. */
    List<RecoverySummary> summarize(Communicator communicator) {
        List<Entry> fresh = entries.subList(summaries.size(), entries.size());
        long[] times = new long[fresh.size() * TIMES];
        long[] pulled = new long[fresh.size() * 2];
        for (int index = 0; index < fresh.size(); index++) {
            Entry entry = fresh.get(index);
            Recovery recovery = entry.recovery();
            times[index * TIMES] = Math.max(0, entry.beganAt() - origin);
            times[index * TIMES + 1] = entry.detectionNanos();
            times[index * TIMES + 2] = Math.max(0, entry.detectionNanos()) + recovery.totalNanos();
            int slot = index * TIMES + 3;
            for (Recovery.Phase phase : Recovery.Phase.values()) {
                times[slot++] = recovery.nanos(phase);
            }
            pulled[index * 2] = recovery.gainedBlocks();
            pulled[index * 2 + 1] = recovery.gainedBytes();
        }
        communicator.allReduce(times, Reduction.MAX);
        communicator.allReduce(pulled, Reduction.SUM);
        List<RecoverySummary> result = new ArrayList<>();
        for (int index = 0; index < fresh.size(); index++) {
            result.add(summary(fresh.get(index), times, index * TIMES, pulled[index * 2], pulled[index * 2 + 1]));
        }
        return result;
    }

    private static RecoverySummary summary(Entry entry, long[] times, int first, long blocks, long bytes) {
        Map<Recovery.Phase, Long> phases = new EnumMap<>(Recovery.Phase.class);
        int slot = first + 3;
        for (Recovery.Phase phase : Recovery.Phase.values()) {
            phases.put(phase, times[slot++]);
        }
        return new RecoverySummary(entry.iteration(),
                Arrays.stream(entry.recovery().newlyFailed().values()).boxed().toList(),
                entry.recovery().survivors(), blocks, bytes, times[first],
                times[first + 1] == UNKNOWN ? null : times[first + 1], phases, times[first + 2]);
    }

    /** Keeps what {@link #summarize} returned, when all survivors have it. */
    void keep(List<RecoverySummary> fresh) {
        summaries.addAll(fresh);
    }

    /** All recoveries put together so far: a view. */
    List<RecoverySummary> summaries() {
        return Collections.unmodifiableList(summaries);
    }
}
