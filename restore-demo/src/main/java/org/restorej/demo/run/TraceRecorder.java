package org.restorej.demo.run;

import java.util.stream.Collectors;
import org.restorej.placement.FailedRanks;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.loop.Recovery;

/**
 * Notes what one PE does when, and learns from time to time what the others have noted: of one that fails later, that
 * is all that is known. A few notes for each recovery, none for an iteration but its value.
 */
final class TraceRecorder {
    /** Of a span, in an array: activity, from, to. */
    private static final int LONGS = 3;
    /** Each stands at the number that it has there, less one: 0 is no activity. */
    private static final List<Activity> ACTIVITIES = List.of(Activity.values());

    private final int pes;
    private final int originalRank;
    private final long origin;
    private final List<RunTrace.Span> mine = new ArrayList<>();
    private final List<RunTrace.Failure> failures = new ArrayList<>();
    private final List<RunTrace.Value> values = new ArrayList<>();
    private final Map<Integer, List<RunTrace.Span>> known = new HashMap<>();
    private long computingSince;
    private long failureNanos;
    private boolean failureKnown;

    /**
     * Notes of one PE.
     *
     * @param communicator of all PEs that have begun
     * @param origin when they did, by this PE's {@link System#nanoTime}
     */
    TraceRecorder(Communicator communicator, long origin) {
        this.origin = origin;
        pes = communicator.size();
        originalRank = communicator.originalRank().value();
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    /** Somebody fails, now. */
    void noteFailure() {
        failureNanos = now();
        failureKnown = true;
    }

    /** A recovery has just been completed. */
    void noteRecovery(Recovery recovery, int iteration) {
        long end = now();
        long noticed = Math.max(computingSince, end - recovery.totalNanos());
        long failed = stopComputing(noticed);
        long from = add(Activity.NOTICE, failed, noticed - failed);
        from = add(Activity.SHRINK, from,
                recovery.nanos(Recovery.Phase.SHRINK) + recovery.nanos(Recovery.Phase.RECOVER));
        from = add(Activity.PULL, from, recovery.nanos(Recovery.Phase.BALANCE) + recovery.nanos(Recovery.Phase.PULL));
        from = add(Activity.TAKE_OVER, from, recovery.nanos(Recovery.Phase.TAKE_OVER));
        computingSince = add(Activity.REPLENISH, from, recovery.nanos(Recovery.Phase.REPLENISH));
        failures.add(new RunTrace.Failure(Arrays.stream(recovery.newlyFailed().values()).boxed().toList(), iteration,
                failed, end));
    }

    /** Blocks are lost, and the run ends. */
    void noteLoss(FailedRanks failedRanks, int iteration) {
        long end = now();
        Set<Integer> fresh = Arrays.stream(failedRanks.values()).boxed().collect(Collectors.toSet());
        failures.forEach(failure -> failure.originalRanks().forEach(fresh::remove));
        long failed = stopComputing(end);
        computingSince = add(Activity.NOTICE, failed, end - failed);
        failures.add(new RunTrace.Failure(fresh.stream().sorted().toList(), iteration, failed, null));
    }

    /** Returns when somebody failed: at the latest when that was noticed. */
    private long stopComputing(long noticed) {
        long failed = failureKnown ? Math.clamp(failureNanos, computingSince, noticed) : noticed;
        failureKnown = false;
        add(Activity.COMPUTE, computingSince, failed - computingSince);
        return failed;
    }

    private long add(Activity activity, long from, long nanos) {
        if (nanos > 0) {
            mine.add(new RunTrace.Span(activity, from, from + nanos));
        }
        return from + Math.max(0, nanos);
    }

    /** An iteration is done. */
    void noteValue(int iteration, double value) {
        values.add(new RunTrace.Value(iteration, now(), value));
    }

    /** What all PEs have noted up to now. Called by all survivors; changes nothing, so that it can be repeated. */
    long[] gather(Communicator communicator) {
        List<RunTrace.Span> spans = upToNow();
        long[] most = {spans.size()};
        communicator.allReduce(most, Reduction.MAX);
        // Each PE has a place of its own in it, where all others have zeros.
        long[] all = new long[Math.toIntExact(pes * most[0] * LONGS)];
        int slot = Math.toIntExact(originalRank * most[0] * LONGS);
        for (RunTrace.Span span : spans) {
            all[slot++] = 1L + ACTIVITIES.indexOf(span.activity());
            all[slot++] = span.fromNanos();
            all[slot++] = span.toNanos();
        }
        communicator.allReduce(all, Reduction.SUM);
        return all;
    }

    private List<RunTrace.Span> upToNow() {
        List<RunTrace.Span> spans = new ArrayList<>(mine);
        spans.add(new RunTrace.Span(Activity.COMPUTE, computingSince, Math.max(computingSince, now())));
        return spans;
    }

    /** Keeps what {@link #gather} returned, when all survivors have it. */
    void keep(long[] all) {
        int longsOfPe = all.length / pes;
        for (int rank = 0; rank < pes; rank++) {
            List<RunTrace.Span> spans = new ArrayList<>();
            for (int slot = rank * longsOfPe; slot < (rank + 1) * longsOfPe && all[slot] > 0; slot += LONGS) {
                spans.add(new RunTrace.Span(ACTIVITIES.get((int) all[slot] - 1), all[slot + 1], all[slot + 2]));
            }
            // Failed PEs contribute nothing any more.
            if (!spans.isEmpty()) {
                known.put(rank, spans);
            }
        }
    }

    /** Everything known to this PE, whose notes say when somebody failed. */
    RunTrace trace() {
        known.put(originalRank, upToNow());
        Map<Integer, Long> failedAt = new HashMap<>();
        failures.forEach(failure -> failure.originalRanks().forEach(rank -> failedAt.put(rank, failure.nanos())));
        List<RunTrace.Lane> lanes = new ArrayList<>();
        for (int rank = 0; rank < pes; rank++) {
            List<RunTrace.Span> spans = known.getOrDefault(rank, List.of());
            Long failed = failedAt.get(rank);
            lanes.add(new RunTrace.Lane(rank,
                    noticedAfterFailures(failed == null ? spans : untilFailure(spans, failed))));
        }
        return new RunTrace(lanes, failures, values, now());
    }

    /**
     * Each PE takes the moment in which it has come to the failure itself for that of the failure, and some come there
     * before the one that fails: until then they were computing.
     */
    private List<RunTrace.Span> noticedAfterFailures(List<RunTrace.Span> spans) {
        List<RunTrace.Span> all = new ArrayList<>();
        int failure = 0;
        for (RunTrace.Span span : spans) {
            if (span.activity() == Activity.NOTICE && failure < failures.size()) {
                long from = Math.clamp(failures.get(failure++).nanos(), span.fromNanos(), span.toNanos());
                all.add(new RunTrace.Span(Activity.COMPUTE, span.fromNanos(), from));
                all.add(new RunTrace.Span(Activity.NOTICE, from, span.toNanos()));
            } else {
                all.add(span);
            }
        }
        return all;
    }

    /** It was computing, as far as anybody knows. */
    private static List<RunTrace.Span> untilFailure(List<RunTrace.Span> spans, long failed) {
        List<RunTrace.Span> all = new ArrayList<>();
        long last = 0;
        for (RunTrace.Span span : spans) {
            if (span.fromNanos() < failed) {
                last = Math.min(failed, span.toNanos());
                all.add(new RunTrace.Span(span.activity(), span.fromNanos(), last));
            }
        }
        if (last < failed) {
            all.add(new RunTrace.Span(Activity.COMPUTE, last, failed));
        }
        return all;
    }
}
