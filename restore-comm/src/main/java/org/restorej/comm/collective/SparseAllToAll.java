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
 * A sparse all-to-all: every PE sends to a few others, and no PE knows in advance from which PEs it will receive.
 *
 * <p>
 * The NBX algorithm (Hoefler, Siebert, Lumsdaine, "Scalable communication protocols for dynamic sparse data exchange",
 * PPoPP 2010, algorithm 4). A PE sends synchronous non-blocking messages, and receives whatever arrives. When all its
 * sends have been matched, it enters a non-blocking barrier. When that completes, every message of every PE has been
 * received. With m messages sent and r received at a PE it takes {@code O(m + r + log P)} time. PEs leave a round at
 * different times, but none leaves its barrier before all have entered it. So at most two consecutive rounds are under
 * way, and they use two tags alternately.
 *
 * <p>
 * Every PE takes part in every round, even if it has nothing to send. Not thread-safe.
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
     * A message to send, or one that was received.
     *
     * @param peer current rank of its receiver, or of its sender; may be this PE
     * @param bytes off-heap, at most {@link Communicator#MAX_MESSAGE_BYTES}; must stay unchanged until the round is
     *        over
     */
    public record Message(int peer, MemorySegment bytes) {}

    /**
     * Creates the sequence of rounds on a communicator.
     *
     * @param communicator all its PEs take part
     * @param firstTag this tag and the next one must not be used for anything else on this communicator
     * @param buffers allocates receive buffers of at least the given number of bytes, off-heap; they must live as long
     *        as the rounds
     */
    public SparseAllToAll(Communicator communicator, int firstTag, LongFunction<MemorySegment> buffers) {
        this.buffers = buffers;
        this.communicator = communicator;
        this.firstTag = firstTag;
    }

    /** Starts a round with all messages of this PE. The previous round must be over. */
    public Round begin(List<Message> messages) {
        Round round = begin();
        messages.forEach(round::add);
        round.addedAll();
        return round;
    }

    /** Starts a round to which messages are added until {@link Round#addedAll}. */
    public Round begin() {
        Round round = new Round(firstTag + (rounds++ & 1));
        latest = round;
        return round;
    }

    /** Aborts the current round after a failure. The memory of its messages may then be freed. */
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
        /**
         * Starts the collective call that no PE leaves before all have entered it; null until all messages are added.
         */
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

        /** Marks that no more messages will be added. */
        public void addedAll() {
            addedAll(communicator::iBarrier);
        }

        /**
         * Marks that no more messages will be added, and replaces the barrier by another collective call.
         *
         * @param last starts a call that completes only when all PEs have started it, such as a reduction; the same on
         *        every PE
         */
        public void addedAll(Supplier<Request> last) {
            closing = last;
        }

        /** Whether all messages added so far have been received, so that their memory may be freed. */
        public boolean hasDelivered() {
            return unsent.isEmpty() && sends.isEmpty();
        }

        /** Whether a message is being received. {@link #poll} must complete it before the round is left. */
        public boolean isReceiving() {
            return receiving != null;
        }

        /** Starts to send all messages, without waiting. */
        public void send() {
            while (!unsent.isEmpty()) {
                Message next = unsent.removeFirst();
                sends.add(communicator.iSsend(next.bytes(), next.peer(), tag));
            }
        }

        /**
         * Makes progress without waiting.
         *
         * @return the next received message, valid until the next call; null if there is none
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
            // Tests the oldest first: testing all of them at every poll would take time linear in their number.
            while (!sends.isEmpty() && sends.getFirst().test()) {
                sends.removeFirst();
            }
            Supplier<Request> last = closing;
            if (closed == null && last != null && sends.isEmpty()) {
                closed = last.get();
            }
            // A message that has started to arrive must be received first.
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

        /** Whether the round is over: all messages to this PE have been received. */
        public boolean isDone() {
            return done;
        }

        /** Aborts the round after a failure. The memory of its messages may then be freed. */
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

        /** Starts to receive a message that has started to arrive. */
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

    /**
     * The receive buffer. It at least doubles when it grows, so that the replaced ones take no more than the last one.
     */
    private MemorySegment reusable(long bytes) {
        MemorySegment reused = buffer;
        if (reused.byteSize() < bytes) {
            reused = buffers.apply(Math.max(Math.max(FIRST_BUFFER_BYTES, bytes), 2 * reused.byteSize()));
            buffer = reused;
        }
        return reused.asSlice(0, bytes);
    }
}
