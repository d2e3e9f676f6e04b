package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Request;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import org.restorej.internal.message.Completely;

/**
 * Waits for requests. A test that is in vain gives the processor away, on every transport, so a loop over tests does;
 * and it notices a failure of the peer or a revocation.
 */
final class Waiting {
    private Waiting() {}

    /** See {@link Communicator#awaitAll(Collection)}. */
    static void awaitAll(Communicator communicator, Collection<? extends Request> requests) {
        // Without null ones, so that a mistake leaves nothing pending.
        ArrayDeque<Request> pending = new ArrayDeque<>();
        requests.stream().filter(Objects::nonNull).forEach(pending::add);
        try {
            if (pending.size() < requests.size()) {
                throw new IllegalArgumentException("requests must not be null: " + (requests.size() - pending.size())
                        + " of " + requests.size() + " are");
            }
            finish(pending);
        } catch (RuntimeException | Error failure) {
            abort(communicator, failure, pending);
            throw failure;
        }
    }

    /**
     * Tests requests in turn until all are done; those that are done leave the queue. In turn, since of several any one
     * may be that which has failed; and another one after each test in vain, which can cost a time slice.
     */
    static void finish(ArrayDeque<Request> pending) {
        while (!pending.isEmpty()) {
            boolean done = pending.getFirst().test();
            Request tested = pending.removeFirst();
            if (!done) {
                pending.addLast(tested);
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Ends requests after a failure; their memory is free afterwards. Revokes first: a message to a PE that is alive
     * but has given up can't be taken back otherwise, and nobody may wait for this PE.
     */
    private static void abort(Communicator communicator, Throwable failure, Collection<? extends Request> pending) {
        try {
            communicator.revoke(failure);
        } finally {
            cancelAll(pending);
        }
    }

    /** Cancels each, whatever another one throws. */
    static void cancelAll(Collection<? extends Request> pending) {
        Completely.forEach(pending, Request::cancel);
    }
}
