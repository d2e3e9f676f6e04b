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
    private final int pieceBytes;
    private final ArrayDeque<Request> pending = new ArrayDeque<>();
    private Runnable furtherAborting = () -> {};
    private boolean hasMemory;

    private MessageExchange(Communicator communicator, Arena arena, int pieceBytes) {
        this.communicator = communicator;
        this.arena = arena;
        this.pieceBytes = pieceBytes;
    }

    /**
     * Runs an operation to its end, and frees its memory: at once, or, after a failure, when this process has shrunk.
     * Until then an MPI that has ended a cancelled request early may still be at work on it (seen in Open MPI 5.0.7).
     *
     * @param pieceBytes longest message; longer ones are split, alike on both sides
     */
    static <T> T run(Communicator communicator, int pieceBytes, Function<MessageExchange, T> operation) {
        MessageExchange exchange = new MessageExchange(communicator, NativeMemory.openConfined(), pieceBytes);
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
    static <T> T runCollectively(Communicator communicator, int pieceBytes, Function<MessageExchange, T> operation) {
        return ReservedTags.allowing(() -> run(communicator, pieceBytes, operation));
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

    /** Starts to send: one message at least, even if it is empty. */
    void send(MemorySegment message, int destination, int tag) {
        long offset = 0;
        do {
            long bytes = Math.min(pieceBytes, message.byteSize() - offset);
            pending.add(communicator.iSend(message.asSlice(offset, bytes), destination, tag));
            offset += bytes;
        } while (offset < message.byteSize());
    }

    /** Starts to receive what {@link #send} sends, of the same length. */
    void receive(MemorySegment buffer, int source, int tag) {
        long offset = 0;
        do {
            long bytes = Math.min(pieceBytes, buffer.byteSize() - offset);
            pending.add(communicator.iReceive(buffer.asSlice(offset, bytes), source, tag));
            offset += bytes;
        } while (offset < buffer.byteSize());
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
