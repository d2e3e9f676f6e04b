package org.restorej.comm.local;

import java.lang.foreign.MemorySegment;
import org.restorej.comm.Communicator.Envelope;

/**
 * A message from send to receive. Its state changes under the lock of the receiver's mailbox, except that the receiver
 * sets {@link State#RECEIVED} after copying, which the sender reads without a lock.
 */
final class Message {
    /** Progress of a message. */
    enum State {
        /** Not yet being received, though perhaps matched. */
        WAITING,
        /** The receiver is reading the bytes. */
        COPYING,
        /** The sender's memory is no longer needed. */
        RECEIVED,
        /** Withdrawn by its sender, or lost with it. */
        WITHDRAWN
    }

    private final int source;
    private final int tag;
    private final long arrival;
    private final MemorySegment bytes;
    private final boolean ownsBytes;
    private final Pe sender;
    private volatile State state = State.WAITING;

    /**
     * Creates a message that has been sent.
     *
     * @param source current rank of the sender
     * @param bytes the sender's memory, or a copy
     * @param ownsBytes whether {@code bytes} is a copy, which outlives the sender
     * @param arrival position among all messages of the receiver's mailbox
     */
    Message(Pe sender, int source, int tag, MemorySegment bytes, boolean ownsBytes, long arrival) {
        this.sender = sender;
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        this.ownsBytes = ownsBytes;
        this.arrival = arrival;
    }

    int source() {
        return source;
    }

    int tag() {
        return tag;
    }

    long arrival() {
        return arrival;
    }

    boolean ownsBytes() {
        return ownsBytes;
    }

    /** Whether the bytes were lost with the sender. */
    boolean isLostWithSender() {
        return !ownsBytes && sender.hasFailed();
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }

    Envelope envelope() {
        return new Envelope(source, (int) bytes.byteSize());
    }

    /** Copies the message into the buffer of a receive, and completes the send in any case. */
    void copyTo(MemorySegment buffer) {
        try {
            if (bytes.byteSize() > buffer.byteSize()) {
                throw new IllegalArgumentException("buffer must hold the message: buffer.byteSize()="
                        + buffer.byteSize() + ", " + this);
            }
            if (!bytes.scope().isAlive()) {
                throw new IllegalStateException("the sender closed the arena of its segment too early: " + this);
            }
            MemorySegment.copy(bytes, 0, buffer, 0, bytes.byteSize());
        } finally {
            state = State.RECEIVED;
            sender.signal();
        }
    }

    @Override
    public String toString() {
        return "message of " + bytes.byteSize() + " bytes from " + source + " with tag " + tag;
    }
}
