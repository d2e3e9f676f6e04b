package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.internal.message.Completely;
import org.restorej.internal.storage.PooledMemory;

/**
 * Sends short runs in frames, to any number of PEs, with a bounded number of pending frames. A frame has whole runs for
 * one PE, in order, without gaps.
 */
final class PackedSender {
    /** Runs that wait to be packed. */
    private record Stream(int peer, ArrayDeque<MemorySegment> runs) {}

    private record Flight(Request request, MemorySegment frame) {}

    private final Communicator communicator;
    private final TransferLimits limits;
    private final PooledMemory buffers;
    private final ArrayDeque<Stream> streams = new ArrayDeque<>();
    private final ArrayDeque<Flight> flights = new ArrayDeque<>();
    /** Idle frames, longest first. */
    private final PriorityQueue<MemorySegment> idleFrames = new PriorityQueue<>(
            Comparator.comparingLong(MemorySegment::byteSize).reversed());
    private int framesMade;

    PackedSender(Communicator communicator, TransferLimits limits, PooledMemory buffers) {
        this.communicator = communicator;
        this.limits = limits;
        this.buffers = buffers;
    }

    /** Adds runs for a PE, none of them empty. */
    void add(int peer, ArrayDeque<MemorySegment> runs) {
        if (!runs.isEmpty()) {
            streams.add(new Stream(peer, runs));
        }
    }

    /** Makes progress, and returns whether everything has been sent. */
    boolean progress(int tag) {
        while (!flights.isEmpty() && flights.getFirst().request().test()) {
            idleFrames.add(flights.removeFirst().frame());
        }
        while (!streams.isEmpty() && (!idleFrames.isEmpty() || framesMade < limits.frames())) {
            // In turn, so that a long stream doesn't delay short ones.
            Stream stream = streams.removeFirst();
            sendFrame(stream, tag);
            if (!stream.runs().isEmpty()) {
                streams.add(stream);
            }
        }
        return streams.isEmpty() && flights.isEmpty();
    }

    private void sendFrame(Stream stream, int tag) {
        MemorySegment frame = frameFor(stream);
        ArrayDeque<MemorySegment> runs = stream.runs();
        long filled = 0;
        while (!runs.isEmpty() && runs.getFirst().byteSize() <= frame.byteSize() - filled) {
            MemorySegment run = runs.removeFirst();
            MemorySegment.copy(run, 0, frame, filled, run.byteSize());
            filled += run.byteSize();
        }
        flights.add(new Flight(communicator.iSend(frame.asSlice(0, filled), stream.peer(), tag), frame));
    }

    /** The longest idle frame or, if that is too short, a new one, which replaces it if there are enough frames. */
    private MemorySegment frameFor(Stream stream) {
        MemorySegment longest = idleFrames.peek();
        if (longest != null && longest.byteSize() == limits.frameBytes()) {
            return idleFrames.remove();
        }
        long wanted = bytesOfNextFrame(stream);
        if (longest != null && longest.byteSize() >= wanted) {
            return idleFrames.remove();
        }
        if (framesMade == limits.frames()) {
            idleFrames.remove();
        } else {
            framesMade++;
        }
        return buffers.allocateBuffer(limits.bufferBytes(wanted));
    }

    /** Length of the next runs that fit into a full frame. */
    private long bytesOfNextFrame(Stream stream) {
        long bytes = 0;
        for (MemorySegment run : stream.runs()) {
            if (run.byteSize() > limits.frameBytes() - bytes) {
                break;
            }
            bytes += run.byteSize();
        }
        return bytes;
    }

    void abort() {
        List<Flight> cancelled = List.copyOf(flights);
        flights.clear();
        streams.clear();
        Completely.forEach(cancelled, flight -> flight.request().cancel());
    }
}
