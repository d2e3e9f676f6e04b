package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.RankMap;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Request;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.restorej.internal.memory.HeapReserve;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.message.ReservedTags;

/**
 * One call of an operation that is made of messages: what it has under way, and the off-heap memory of that. When it
 * throws what other PEs may not know of, it revokes the communicator, so that nobody waits for this PE.
 */
final class MessageExchange {
    private final Communicator communicator;
    private final Arena arena;
    private final ArrayDeque<Request> pending = new ArrayDeque<>();
    private Runnable furtherAborting = () -> {};
    private boolean hasMemory;

    private MessageExchange(Communicator communicator, Arena arena) {
        this.communicator = communicator;
        this.arena = arena;
    }

    /**
     * Runs an operation to its end, and frees its memory: at once, or, after a failure, when this process has shrunk.
     * Until then an MPI that has ended a cancelled request early may still be at work on it (seen in Open MPI 5.0.7).
     */
    static <T> T run(Communicator communicator, Function<MessageExchange, T> operation) {
        MessageExchange exchange = new MessageExchange(communicator, NativeMemory.openConfined());
        T result;
        try {
            result = operation.apply(exchange);
        } catch (RuntimeException | Error failure) {
            exchange.fail(failure);
            throw failure;
        }
        exchange.arena.close();
        return result;
    }

    /** As {@link #run}, for all PEs: with tags that the application doesn't have. */
    static <T> T runCollectively(Communicator communicator, Function<MessageExchange, T> operation) {
        return ReservedTags.allowing(() -> run(communicator, operation));
    }

    private void fail(Throwable failure) {
        if (failure instanceof KnownToAll) {
            arena.close();
            return;
        }
        if (failure instanceof OutOfMemoryError) {
            HeapReserve.release();
        }
        try {
            communicator.revoke(failure);
        } finally {
            cancelAndFree();
        }
    }

    /** Where something can't be cancelled, the memory is kept for good. */
    private void cancelAndFree() {
        boolean isStuck = false;
        try {
            cancel();
        } catch (RuntimeException stuck) {
            isStuck = true;
            throw stuck;
        } finally {
            if (!isStuck) {
                free();
            }
        }
    }

    private void cancel() {
        try {
            Waiting.cancelAll(pending);
        } finally {
            furtherAborting.run();
        }
    }

    private void free() {
        if (hasMemory) {
            RankMap ranks = communicator.ranks();
            NativeMemory.retire(IntStream.range(0, ranks.size()).map(ranks::originalRankOf).toArray(), arena);
        } else {
            arena.close();
        }
    }

    /** What else is to be aborted after a failure. */
    void whenAborted(Runnable action) {
        furtherAborting = action;
    }

    /** Off-heap memory until the end of the operation. */
    MemorySegment allocate(long byteSize) {
        hasMemory = true;
        return arena.allocate(byteSize, Long.BYTES);
    }

    /** These bytes off the heap: themselves when they are, a copy otherwise. */
    MemorySegment offHeap(MemorySegment bytes) {
        return bytes.isNative() ? bytes : allocate(bytes.byteSize()).copyFrom(bytes);
    }

    /** Starts to send. */
    void send(MemorySegment message, int destination, int tag) {
        pending.add(communicator.iSend(message, destination, tag));
    }

    /** Starts to receive. */
    void receive(MemorySegment buffer, int source, int tag) {
        pending.add(communicator.iReceive(buffer, source, tag));
    }

    /** Receives one message, whatever else is under way. */
    void receiveNow(MemorySegment buffer, int source, int tag) {
        Request arriving = communicator.iReceive(buffer, source, tag);
        pending.addLast(arriving);
        while (!arriving.test()) {
            Thread.onSpinWait();
        }
        pending.removeLast();
    }

    /** Waits for all that has been started. */
    void awaitAll() {
        Waiting.finish(pending);
    }
}
