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
 * One call of an operation that consists of messages: owns its pending requests and their off-heap memory. If it throws
 * an exception that other PEs may not know, it revokes the communicator, so that no PE waits for this one.
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
     * Runs an operation to its end, and frees its memory: at once or, after a failure, when this process has shrunk.
     * Until then an MPI that has ended a cancelled request early may still access it (seen in Open MPI 5.0.7).
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

    /** Runs an operation of all PEs, with tags that are reserved for it; see {@link #run}. */
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

    /** If a request can't be cancelled, the memory is never freed. */
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

    /** Sets what else is aborted after a failure. */
    void whenAborted(Runnable action) {
        furtherAborting = action;
    }

    /** Allocates off-heap memory until the end of the operation. */
    MemorySegment allocate(long byteSize) {
        hasMemory = true;
        return arena.allocate(byteSize, Long.BYTES);
    }

    /** The bytes in off-heap memory: the same segment if it is off-heap, a copy otherwise. */
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

    /** Receives one message, while others are pending. */
    void receiveNow(MemorySegment buffer, int source, int tag) {
        Request arriving = communicator.iReceive(buffer, source, tag);
        pending.addLast(arriving);
        while (!arriving.test()) {
            Thread.onSpinWait();
        }
        pending.removeLast();
    }

    /** Waits for all messages that were started. */
    void awaitAll() {
        Waiting.finish(pending);
    }
}
