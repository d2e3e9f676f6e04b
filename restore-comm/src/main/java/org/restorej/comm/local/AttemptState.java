package org.restorej.comm.local;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.restorej.comm.OriginalRank;

/**
 * State of one attempt of a program that all PEs of a run share: its communicators, and the PEs on which it has ended.
 * Thread-safe.
 */
final class AttemptState {
    private final Queue<Context> contexts = new ConcurrentLinkedQueue<>();
    /** For each original rank on which the program has ended: true if it returned, false if a failure ended it. */
    private final Map<Integer, Boolean> over = new ConcurrentHashMap<>();

    /** Original ranks of the PEs on which the application has thrown; added before these count as failed. */
    private final Set<Integer> threw = ConcurrentHashMap.newKeySet();

    void register(Context context) {
        contexts.add(context);
    }

    /** Removes a communicator that all its members have closed, or whose other members have failed. */
    void unregister(Context context) {
        contexts.remove(context);
    }

    Iterable<Context> contexts() {
        return contexts;
    }

    void isOver(Pe pe, boolean returned) {
        over.put(pe.originalRank().value(), returned);
    }

    void hasThrown(Pe pe) {
        threw.add(pe.originalRank().value());
    }

    /** Whether the application has thrown on one of these failed PEs. */
    boolean hasThrownOnOneOf(Collection<OriginalRank> failed) {
        return failed.stream().anyMatch(rank -> threw.contains(rank.value()));
    }

    /** Whether the program has returned on a PE, which has not failed. */
    boolean hasReturned(Pe pe) {
        return Boolean.TRUE.equals(over.get(pe.originalRank().value()));
    }

    /** Whether a failure has ended the program on a PE. */
    boolean hasLeft(Pe pe) {
        return Boolean.FALSE.equals(over.get(pe.originalRank().value()));
    }
}
