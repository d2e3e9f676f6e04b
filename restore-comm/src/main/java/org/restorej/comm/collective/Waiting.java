package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Request;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import org.restorej.internal.message.Completely;

/**
 * Waits for requests. A test of a request that has not completed yields the processor, on every transport, and notices
 * a failure of the peer or a revocation.
 */
final class Waiting {
    private Waiting() {}

    /** See {@link Communicator#awaitAll(Collection)}. */
    static void awaitAll(Communicator communicator, Collection<? extends Request> requests) {
        // Null elements are dropped here, so that the other requests are still ended.
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
     * Tests requests in turn until all have completed; completed ones leave the queue. In turn, because any one may be
     * the one that fails, and another one after each test without success, because a test may cost a time slice.
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
     * Ends requests after a failure; their memory may be freed afterwards. Revokes first: otherwise a message to a PE
     * that has stopped because of the failure can't be cancelled, and other PEs might wait for this one.
     */
    private static void abort(Communicator communicator, Throwable failure, Collection<? extends Request> pending) {
        try {
            communicator.revoke(failure);
        } finally {
            cancelAll(pending);
        }
    }

    /** Cancels each request, even if another one throws. */
    static void cancelAll(Collection<? extends Request> pending) {
        Completely.forEach(pending, Request::cancel);
    }
}
