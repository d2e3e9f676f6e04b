package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.Request;
import org.restorej.internal.storage.PooledMemory;

/**
 * Receives frames of {@link PackedSender}s, from any PE, into one frame, and unpacks them. Receiving from any PE avoids
 * deadlocks with bounded buffers: a PE always has room for the next frame.
 */
final class PackedReceiver {
    private final Communicator communicator;
    private final TransferLimits limits;
    private final PooledMemory buffers;
    /** By PE, the runs that are still to be received from it. */
    private final Int2ObjectOpenHashMap<ArrayDeque<MemorySegment>> streams = new Int2ObjectOpenHashMap<>();
    private @Nullable MemorySegment frame;
    private @Nullable Request request;
    private int source;
    private int frameLength;

    PackedReceiver(Communicator communicator, TransferLimits limits, PooledMemory buffers) {
        this.communicator = communicator;
        this.limits = limits;
        this.buffers = buffers;
    }

    /** Adds the runs that a PE sends, none of them empty. */
    void add(int peer, ArrayDeque<MemorySegment> runs) {
        if (!runs.isEmpty()) {
            streams.put(peer, runs);
        }
    }

    /** Makes progress, and returns whether everything expected has been received. */
    boolean progress(int tag) {
        while (!streams.isEmpty()) {
            if (request == null && !startReceiving(tag)) {
                return false;
            }
            if (request == null || !request.test()) {
                return false;
            }
            request = null;
            unpack();
        }
        return true;
    }

    boolean isThrough() {
        return streams.isEmpty();
    }

    private boolean startReceiving(int tag) {
        Envelope envelope = communicator.iProbe(tag);
        // A frame may arrive before its announcement; it then waits until that has been read.
        if (envelope == null || !streams.containsKey(envelope.source())) {
            return false;
        }
        source = envelope.source();
        frameLength = envelope.bytes();
        MemorySegment buffer = frame;
        if (buffer == null || buffer.byteSize() < frameLength) {
            buffer = buffers.allocateBuffer(limits.bufferBytes(frameLength));
            frame = buffer;
        }
        request = communicator.iReceive(buffer.asSlice(0, frameLength), source, tag);
        return true;
    }

    private void unpack() {
        ArrayDeque<MemorySegment> runs = streams.get(source);
        MemorySegment received = frame;
        if (runs == null || received == null) {
            throw new IllegalStateException("a frame arrived from rank " + source + ", which was to send none");
        }
        long offset = 0;
        while (offset < frameLength) {
            MemorySegment run = runs.removeFirst();
            MemorySegment.copy(received, offset, run, 0, run.byteSize());
            offset += run.byteSize();
        }
        if (runs.isEmpty()) {
            streams.remove(source);
        }
    }

    void abort() {
        Request cancelled = request;
        request = null;
        streams.clear();
        if (cancelled != null) {
            cancelled.cancel();
        }
    }
}
