package org.restorej.comm.local;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Notices that the PEs of a free-running cluster wait for one that has returned. MPI would let them wait for ever.
 *
 * <p>
 * That is so when some PE has returned, each of the others keeps looking for something and none has found anything for
 * a while, and one of them waits for something that only a PE that has returned could do. A PE that computes doesn't
 * look, and is waited for. Looks at intervals; used by one thread.
 */
final class StuckWatch {
    private final List<Pe> pes;
    private final long quietNanos;
    private long[] foundBefore = new long[0];
    private long[] vainBefore = new long[0];
    private long quietSince;

    StuckWatch(List<Pe> pes, Duration quiet) {
        this.pes = pes;
        quietNanos = quiet.toNanos();
        quietSince = System.nanoTime();
    }

    /** How long to wait until the next look. */
    Duration interval() {
        return Duration.ofNanos(Math.max(1, quietNanos / 8));
    }

    /** Why the run can't end, if it can't. */
    Optional<String> look() {
        List<Pe> watched = pes.stream().filter(pe -> !pe.isDead()).toList();
        long[] found = watched.stream().mapToLong(Pe::found).toArray();
        long[] vain = watched.stream().mapToLong(Pe::foundNothing).toArray();
        if (!allWaited(watched, found, vain)) {
            quietSince = System.nanoTime();
        }
        foundBefore = found;
        vainBefore = vain;
        if (System.nanoTime() - quietSince < quietNanos) {
            return Optional.empty();
        }
        List<Pe> missed = watched.stream().filter(Pe::hasReturned)
                .filter(pe -> watched.stream().anyMatch(waiting -> !waiting.hasReturned() && waiting.waitsFor(pe)))
                .toList();
        return missed.isEmpty()
                ? Optional.empty()
                : Optional.of("the program of PE " + missed.stream().map(pe -> pe.originalRank().toString())
                        .collect(Collectors.joining(", ")) + " has returned, and the others wait for it");
    }

    /**
     * Whether since the look before nobody has found anything, each PE that is left has looked for something, and those
     * that have returned have not: some other thread of theirs may still be at work.
     */
    private boolean allWaited(List<Pe> watched, long[] found, long[] vain) {
        if (!Arrays.equals(found, foundBefore)) {
            return false;
        }
        for (int i = 0; i < vain.length; i++) {
            if (watched.get(i).hasReturned() != (vain[i] == vainBefore[i])) {
                return false;
            }
        }
        return true;
    }
}
