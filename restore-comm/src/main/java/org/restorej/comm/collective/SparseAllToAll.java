package org.restorej.comm.collective;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.Request;

/**
 * A sparse all-to-all: every PE sends to a few others, and nobody knows beforehand from whom it will receive.
 *
 * <p>
 * The NBX algorithm (Hoefler, Siebert, Lumsdaine, "Scalable communication protocols for dynamic sparse data exchange",
 * PPoPP 2010, algorithm 4): synchronous non-blocking sends; receive whatever comes; when all own sends have been
 * matched, enter a non-blocking barrier; when that completes, every message of every PE has been received. With m
 * messages sent and r received at a PE it takes {@code O(m + r + log P)} time. Rounds don't mix although PEs leave
 * them at different times: nobody leaves the barrier of a round before all have entered it, so at most two neighbouring
 * rounds are under way, and they use two tags in turn.
 *
 * <p>
 * Every PE takes part in every round, also with nothing to send. One thread.
 */
public final class SparseAllToAll {
    private static final int FIRST_BUFFER_BYTES = 1 << 12;

    private final Communicator communicator;
    private final int firstTag;
    private final LongFunction<MemorySegment> buffers;
    private int rounds;
    private @Nullable Round latest;
    private MemorySegment buffer = MemorySegment.NULL;

    /**
     * A message to send, or one that has come.
     *
     * @param peer current rank of its receiver, or of its sender; may be this PE
     * @param bytes off-heap, at most {@link Communicator#MAX_MESSAGE_BYTES}; what is sent stays unchanged until the
     *        round is over
     */
    public record Message(int peer, MemorySegment bytes) {}

    /**
     * Rounds on a communicator.
     *
     * @param communicator whose PEs take part
     * @param firstTag this tag and the next one are used, by nothing else on this communicator
     * @param buffers gives off-heap memory of at least so many bytes to receive in, which must live as long as the
     *        rounds
     */
    public SparseAllToAll(Communicator communicator, int firstTag, LongFunction<MemorySegment> buffers) {
        this.buffers = buffers;
        this.communicator = communicator;
        this.firstTag = firstTag;
    }

    /** Starts a round with all that this PE sends in it. The round before must be over. */
    public Round begin(List<Message> messages) {
        Round round = begin();
        messages.forEach(round::add);
        round.addedAll();
        return round;
    }

    /** Starts a round to which messages are added while it goes on, until {@link Round#addedAll}. */
    public Round begin() {
        Round round = new Round(firstTag + (rounds++ & 1));
        latest = round;
        return round;
    }

    /** Aborts the round under way after a failure; the memory of its messages is free to use afterwards. */
    public void abort() {
        if (latest != null) {
            latest.abort();
        }
    }

    /** A message that is being received. */
    private record Arriving(Message message, Request request) {}

    /** A round under way. */
    public final class Round {
        private final int tag;
        private final ArrayDeque<Message> unsent = new ArrayDeque<>();
        private final ArrayDeque<Request> sends = new ArrayDeque<>();
        /** Begins the collective call that nobody leaves before all have entered it; null before all is added. */
        private @Nullable Supplier<Request> closing;
        private @Nullable Request closed;
        private @Nullable Arriving receiving;
        private boolean done;

        private Round(int tag) {
            this.tag = tag;
        }

        /** Adds a message. */
        public void add(Message message) {
            unsent.add(message);
        }

        /** Says that no more messages will be added here. */
        public void addedAll() {
            addedAll(communicator::iBarrier);
        }

        /**
         * As {@link #addedAll()}, with another collective call in the barrier's place.
         *
         * @param last begins a call that is over only when all PEs have begun it, such as a reduction: the same on every
         *        PE
         */
        public void addedAll(Supplier<Request> last) {
            closing = last;
        }

        /** Whether all messages added so far have been received, so that their memory is free to use. */
        public boolean hasDelivered() {
            return unsent.isEmpty() && sends.isEmpty();
        }

        /** Whether a message is being received: then {@link #poll} goes on with it, before the round may be left. */
        public boolean isReceiving() {
            return receiving != null;
        }

        /** Starts to send all messages, and waits for nothing. */
        public void send() {
            while (!unsent.isEmpty()) {
                Message next = unsent.removeFirst();
                sends.add(communicator.iSsend(next.bytes(), next.peer(), tag));
            }
        }

        /**
         * Does what can be done now.
         *
         * @return the next message that has come, valid until this is called again; null when none has come
         */
        public @Nullable Message poll() {
            if (done) {
                return null;
            }
            send();
            Message received = nextReceived();
            if (received != null) {
                return received;
            }
            // The oldest first: testing all of them costs time in their number at every poll.
            while (!sends.isEmpty() && sends.getFirst().test()) {
                sends.removeFirst();
            }
            Supplier<Request> last = closing;
            if (closed == null && last != null && sends.isEmpty()) {
                closed = last.get();
            }
            // Not before a message is received that has begun to come.
            done = receiving == null && closed != null && closed.test();
            return null;
        }

        private @Nullable Message nextReceived() {
            Arriving current = receiving == null ? nextArriving() : receiving;
            receiving = current;
            if (current == null || !current.request().test()) {
                return null;
            }
            receiving = null;
            return current.message();
        }

        /** Whether the round is over: all messages to this PE have come. */
        public boolean isDone() {
            return done;
        }

        /** Aborts the round after a failure; the memory of the messages is free to use afterwards. */
        public void abort() {
            done = true;
            if (receiving != null) {
                sends.add(receiving.request());
                receiving = null;
            }
            try {
                Waiting.cancelAll(sends);
            } finally {
                sends.clear();
            }
        }

        /** Begins to receive a message that has begun to come. */
        private @Nullable Arriving nextArriving() {
            Envelope envelope = communicator.iProbe(tag);
            if (envelope == null) {
                return null;
            }
            MemorySegment bytes = reusable(envelope.bytes());
            return new Arriving(new Message(envelope.source(), bytes),
                    communicator.iReceive(bytes, envelope.source(), tag));
        }
    }

    /** The receive buffer. It at least doubles when it grows, so what it leaves behind is no more than what it is. */
    private MemorySegment reusable(long bytes) {
        MemorySegment reused = buffer;
        if (reused.byteSize() < bytes) {
            reused = buffers.apply(Math.max(Math.max(FIRST_BUFFER_BYTES, bytes), 2 * reused.byteSize()));
            buffer = reused;
        }
        return reused.asSlice(0, bytes);
    }
}
