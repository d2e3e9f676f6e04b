package org.restorej.demo.run;

import java.util.Arrays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.loop.Recovery;

/**
 * What one PE notes about recoveries, until all survivors put their notes together. A recovery is complete on all of
 * them or on none, so that the notes of any two have the same recoveries in the same order.
 */
final class RecoveryJournal {
    /** Detection and total come before the phases. */
    private static final int TIMES = 2 + Recovery.Phase.values().length;

    private static final long UNKNOWN = -1;

    /** One recovery on this PE. */
    private record Entry(int iteration, Recovery recovery, long detectionNanos) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<RecoverySummary> summaries = new ArrayList<>();
    private int iteration;
    private long failureNanoTime;
    private boolean failureKnown;

    /** What is done from now on belongs to this iteration. */
    void enter(int number) {
        iteration = number;
    }

    /** Somebody fails, now. */
    void noteFailure() {
        failureNanoTime = System.nanoTime();
        failureKnown = true;
    }

    /** A recovery has just been completed. */
    void noteRecovery(Recovery recovery) {
        long noticed = System.nanoTime() - recovery.totalNanos();
        long detectionNanos = failureKnown ? Math.max(0, noticed - failureNanoTime) : UNKNOWN;
        entries.add(new Entry(iteration, recovery, detectionNanos));
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
            times[index * TIMES] = entry.detectionNanos();
            times[index * TIMES + 1] = Math.max(0, entry.detectionNanos()) + recovery.totalNanos();
            int slot = index * TIMES + 2;
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
        int slot = first + 2;
        for (Recovery.Phase phase : Recovery.Phase.values()) {
            phases.put(phase, times[slot++]);
        }
        OptionalLong detection = times[first] == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(times[first]);
        return new RecoverySummary(entry.iteration(),
                Arrays.stream(entry.recovery().newlyFailed().values()).boxed().toList(),
                entry.recovery().survivors(), blocks, bytes, detection, phases, times[first + 1]);
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
