package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.internal.message.Completely;

/**
 * The direct messages between this PE and another in one direction. Both ends post them in the same order, at most a
 * window of them ahead of the oldest unfinished.
 */
final class DirectStream {
    private final Communicator communicator;
    private final int window;
    private final boolean sends;
    private final int peer;
    private final int tag;
    private final ArrayDeque<MemorySegment> messages;
    private final ArrayDeque<Request> pending = new ArrayDeque<>();

    /**
     * A stream that has not begun.
     *
     * @param window most messages under way at once
     * @param sends whether to send to the peer; otherwise to receive from it
     * @param messages what to send, or where to receive; the stream's own from now on
     */
    DirectStream(Communicator communicator, int window, boolean sends, int peer, int tag,
            ArrayDeque<MemorySegment> messages) {
        this.communicator = communicator;
        this.window = window;
        this.sends = sends;
        this.peer = peer;
        this.tag = tag;
        this.messages = messages;
    }

    boolean sends() {
        return sends;
    }

    /** Starts as many messages as may be under way, and asks after none of them. */
    void post() {
        while (!messages.isEmpty() && pending.size() < window) {
            MemorySegment message = messages.removeFirst();
            pending.add(sends ? communicator.iSend(message, peer, tag) : communicator.iReceive(message, peer, tag));
        }
    }

    /** Does what can be done now, and says whether all messages have travelled. */
    boolean progress() {
        boolean completed;
        do {
            post();
            completed = dropCompleted();
        } while (completed && !messages.isEmpty());
        return pending.isEmpty() && messages.isEmpty();
    }

    /** Asks after the oldest until one is still under way, and says whether any was not. */
    private boolean dropCompleted() {
        int before = pending.size();
        while (!pending.isEmpty() && pending.getFirst().test()) {
            pending.removeFirst();
        }
        return pending.size() < before;
    }

    void abort() {
        List<Request> cancelled = List.copyOf(pending);
        pending.clear();
        Completely.forEach(cancelled, Request::cancel);
    }
}
