package org.restorej.comm.local;

import it.unimi.dsi.fastutil.ints.Int2LongMap;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator.Envelope;

/**
 * The messages to one PE in one communicator, and its pending receives. Senders and the receiver match them under the
 * lock of the mailbox. Only the receiver copies bytes, outside the lock: so no other thread writes into a PE's buffers,
 * and a receive can be cancelled without waiting for another PE.
 *
 * <p>
 * Messages are queued by tag and source. Matching takes constant time, a probe time linear in the number of sources
 * with a queued message of the tag.
 */
final class Mailbox {
    private final Pe owner;
    private final Int2ObjectMap<Int2ObjectMap<ArrayDeque<Message>>> waiting = new Int2ObjectOpenHashMap<>();
    private final Long2ObjectMap<ArrayDeque<ReceiveRequest>> posted = new Long2ObjectOpenHashMap<>();
    /** Matched receives whose bytes are not yet copied: added by senders, removed by the owner. */
    private final Queue<ReceiveRequest> matched = new ConcurrentLinkedQueue<>();
    /** The message that the owner is reading; at most one, since a PE uses one thread at a time. */
    private volatile @Nullable Message copying;
    private long arrivals;
    /**
     * For each source, the arrival number of the first message that it has withdrawn after a revocation; none later is
     * received.
     */
    private final Int2LongMap ends = new Int2LongOpenHashMap();

    Mailbox(Pe owner) {
        this.owner = owner;
        ends.defaultReturnValue(Long.MAX_VALUE);
    }

    Pe owner() {
        return owner;
    }

    /** Adds a message, and matches it with the oldest receive for it. */
    Message deliver(Pe sender, int source, int tag, MemorySegment bytes, boolean ownsBytes) {
        Message message;
        synchronized (this) {
            message = new Message(sender, source, tag, bytes, ownsBytes, arrivals++);
            ReceiveRequest receive = takePosted(source, tag);
            if (receive == null) {
                waiting.computeIfAbsent(tag, key -> new Int2ObjectOpenHashMap<>())
                        .computeIfAbsent(source, key -> new ArrayDeque<>(4)).add(message);
            } else {
                receive.match(message);
                matched.add(receive);
                owner.hasMatched(this);
            }
        }
        owner.signal();
        return message;
    }

    /** Matches a receive with the oldest message for it, or queues it. Called by the owner. */
    void post(ReceiveRequest receive) {
        synchronized (this) {
            Message message = takeWaiting(receive.source(), receive.tag());
            if (message == null) {
                posted.computeIfAbsent(key(receive.source(), receive.tag()), key -> new ArrayDeque<>(4)).add(receive);
                return;
            }
            startCopy(message);
            receive.match(message);
        }
        copy(receive);
    }

    /** The oldest message with a tag, or null. */
    synchronized @Nullable Envelope probe(int tag) {
        Int2ObjectMap<ArrayDeque<Message>> bySource = waiting.get(tag);
        if (bySource == null) {
            return null;
        }
        Message oldest = null;
        for (ArrayDeque<Message> queue : bySource.values()) {
            Message first = queue.getFirst();
            if (isAfterTheEnd(first)) {
                continue;
            }
            if (oldest == null || first.arrival() < oldest.arrival()) {
                oldest = first;
            }
        }
        return oldest == null ? null : oldest.envelope();
    }

    /**
     * Copies the bytes of all matched messages. Called by the owner. A receive whose message was withdrawn is queued
     * again. If the message was lost with its sender, or withdrawn after a revocation, the receive can only fail: no
     * later message may take its place.
     */
    void copyMatched() {
        for (ReceiveRequest receive = matched.poll(); receive != null; receive = matched.poll()) {
            if (tryStartCopy(receive.matchedMessage())) {
                copy(receive);
            } else if (receive.matchedMessage().isLostWithSender() || isAfterTheEnd(receive.matchedMessage())) {
                receive.loseMessage();
            } else {
                receive.unmatch();
                post(receive);
            }
        }
    }

    private synchronized boolean tryStartCopy(Message message) {
        if (message.state() != Message.State.WAITING || message.isLostWithSender() || isAfterTheEnd(message)) {
            return false;
        }
        startCopy(message);
        return true;
    }

    private void startCopy(Message message) {
        message.become(Message.State.COPYING);
        copying = message;
    }

    private void copy(ReceiveRequest receive) {
        receive.copy();
        copying = null;
    }

    /** Whether it would overtake a message that its source has withdrawn after a revocation. */
    private synchronized boolean isAfterTheEnd(Message message) {
        return message.arrival() >= ends.get(message.source());
    }

    /** Withdraws a message after a revocation; later messages of the source don't arrive either. */
    synchronized void withdrawWithAllLater(Message message) {
        if (message.state() == Message.State.WAITING) {
            ends.merge(message.source(), message.arrival(), Math::min);
            withdraw(message);
        }
    }

    /** Withdraws a message, unless its receiver is reading or has read it. */
    synchronized void withdraw(Message message) {
        if (message.state() != Message.State.WAITING) {
            return;
        }
        message.become(Message.State.WITHDRAWN);
        Int2ObjectMap<ArrayDeque<Message>> bySource = waiting.get(message.tag());
        ArrayDeque<Message> queue = bySource == null ? null : bySource.get(message.source());
        if (queue != null && queue.remove(message)) {
            forgetIfEmpty(message.tag(), message.source());
        }
    }

    /** Cancels a receive, and returns whether it was still queued. */
    synchronized boolean withdraw(ReceiveRequest receive) {
        long key = key(receive.source(), receive.tag());
        ArrayDeque<ReceiveRequest> queue = posted.get(key);
        if (queue == null || !queue.remove(receive)) {
            return false;
        }
        if (queue.isEmpty()) {
            posted.remove(key);
        }
        return true;
    }

    /**
     * Drops messages of a sender that has failed. Those still in its memory are lost. Of those already copied the first
     * ones arrive, as many as the network model decides, since a network delivers in order. Returns when no PE reads
     * its memory.
     */
    @SuppressWarnings("ThreadPriorityCheck") // waits for the end of a copy, which needs nothing from this thread
    void dropMessagesFrom(int source, NetworkModel network) {
        synchronized (this) {
            List<Message> unread = new ArrayList<>();
            waiting.values().forEach(bySource -> unread.addAll(bySource.getOrDefault(source, new ArrayDeque<>())));
            unread.sort(Comparator.comparingLong(Message::arrival));
            int surviving = unread.isEmpty() ? 0 : network.survivingMessages(unread.size());
            for (int index = 0; index < unread.size(); index++) {
                // No message overtakes a lost one.
                if (index >= surviving || !unread.get(index).ownsBytes()) {
                    surviving = 0;
                    withdraw(unread.get(index));
                }
            }
        }
        for (Message message = copying; message != null && message.source() == source; message = copying) {
            Thread.yield();
        }
    }

    /** Number of messages that were not received. */
    synchronized int waitingMessages() {
        return waiting.values().stream().flatMap(bySource -> bySource.values().stream()).mapToInt(ArrayDeque::size)
                .sum();
    }

    private @Nullable ReceiveRequest takePosted(int source, int tag) {
        long key = key(source, tag);
        ArrayDeque<ReceiveRequest> queue = posted.get(key);
        if (queue == null) {
            return null;
        }
        ReceiveRequest receive = queue.removeFirst();
        if (queue.isEmpty()) {
            posted.remove(key);
        }
        return receive;
    }

    private @Nullable Message takeWaiting(int source, int tag) {
        Int2ObjectMap<ArrayDeque<Message>> bySource = waiting.get(tag);
        ArrayDeque<Message> queue = bySource == null ? null : bySource.get(source);
        if (queue == null) {
            return null;
        }
        if (isAfterTheEnd(queue.getFirst())) {
            return null;
        }
        Message message = queue.removeFirst();
        forgetIfEmpty(tag, source);
        return message;
    }

    private void forgetIfEmpty(int tag, int source) {
        Int2ObjectMap<ArrayDeque<Message>> bySource = waiting.get(tag);
        if (bySource != null && bySource.get(source).isEmpty()) {
            bySource.remove(source);
            if (bySource.isEmpty()) {
                waiting.remove(tag);
            }
        }
    }

    private static long key(int source, int tag) {
        return (long) tag << 32 | source;
    }
}
