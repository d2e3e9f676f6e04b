package org.restorej;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.CompletableFuture;

/** Keeps an arena from being closed, as an operation of the system that is under way does. */
final class HeldMemory implements AutoCloseable {
    private final Pipe pipe = newPipe();
    private CompletableFuture<?> writing = CompletableFuture.completedFuture("nothing");

    void hold(Arena arena) {
        ByteBuffer bytes = arena.allocate(1 << 20).asByteBuffer();
        writing = CompletableFuture.runAsync(() -> {
            try {
                pipe.sink().write(bytes);
            } catch (IOException closed) {
                // The test is over.
            }
        }, Thread.ofPlatform().daemon()::start);
        // The first byte has been written: the rest is on the way.
        read(ByteBuffer.allocate(1));
    }

    /** Whether its arena can't be closed. */
    boolean isHeld() {
        return !writing.isDone();
    }

    private void read(ByteBuffer bytes) {
        try {
            pipe.source().read(bytes);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Pipe newPipe() {
        try {
            return Pipe.open();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
        writing.join();
    }
}
