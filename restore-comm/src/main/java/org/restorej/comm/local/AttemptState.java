package org.restorej.comm.local;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.restorej.comm.OriginalRank;

/** What the PEs of a run share of an attempt of a program: its communicators, and on whom it is over. Any thread. */
final class AttemptState {
    private final Queue<Context> contexts = new ConcurrentLinkedQueue<>();
    /** Of original ranks, whether the program has returned there; it has not where a failure has escaped. */
    private final Map<Integer, Boolean> over = new ConcurrentHashMap<>();

    /** Original ranks of the PEs on which the application has thrown, noted before these have failed for the others. */
    private final Set<Integer> threw = ConcurrentHashMap.newKeySet();

    void register(Context context) {
        contexts.add(context);
    }

    /** All its members have closed a communicator, or failed. */
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

    /** Whether the application has thrown on one of these, which have failed. */
    boolean hasThrownOnOneOf(Collection<OriginalRank> failed) {
        return failed.stream().anyMatch(rank -> threw.contains(rank.value()));
    }

    /** Whether it is there no more, although alive, having come to its end. */
    boolean hasReturned(Pe pe) {
        return Boolean.TRUE.equals(over.get(pe.originalRank().value()));
    }

    /** Whether a failure has escaped from it. */
    boolean hasLeft(Pe pe) {
        return Boolean.FALSE.equals(over.get(pe.originalRank().value()));
    }
}
