package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.internal.message.Completely;

/**
 * The direct messages between this PE and another one, in one direction. Both PEs start them in the same order, with at
 * most a window of them pending.
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
     * Creates a stream without starting it.
     *
     * @param window maximum number of pending messages
     * @param sends whether to send to the peer; otherwise to receive from it
     * @param messages to send, or to receive into; owned by the stream
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

    /** Starts messages up to the window, without testing any. */
    void post() {
        while (!messages.isEmpty() && pending.size() < window) {
            MemorySegment message = messages.removeFirst();
            pending.add(sends ? communicator.iSend(message, peer, tag) : communicator.iReceive(message, peer, tag));
        }
    }

    /** Makes progress, and returns whether all messages are complete. */
    boolean progress() {
        boolean completed;
        do {
            post();
            completed = dropCompleted();
        } while (completed && !messages.isEmpty());
        return pending.isEmpty() && messages.isEmpty();
    }

    /** Removes completed messages, oldest first, until one is pending, and returns whether any was removed. */
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
