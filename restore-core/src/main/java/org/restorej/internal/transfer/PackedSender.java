package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.internal.storage.ByteRuns;
import org.restorej.internal.storage.PooledMemory;

/**
 * Sends short runs in frames, to any number of PEs, with a bounded number of frames under way. A frame holds whole runs
 * of one stream, in order, without gaps.
 */
final class PackedSender {
    private record Flight(Request request, MemorySegment frame) {}

    private final Communicator communicator;
    private final TransferLimits limits;
    private final PooledMemory buffers;
    private final ArrayDeque<PackedStream> streams = new ArrayDeque<>();
    private final ArrayDeque<Flight> flights = new ArrayDeque<>();
    /** The longest first. */
    private final PriorityQueue<MemorySegment> idleFrames = new PriorityQueue<>(
            Comparator.comparingLong(MemorySegment::byteSize).reversed());
    private int framesMade;

    PackedSender(Communicator communicator, TransferLimits limits, PooledMemory buffers) {
        this.communicator = communicator;
        this.limits = limits;
        this.buffers = buffers;
    }

    void add(int peer, ByteRuns runs) {
        PackedStream stream = new PackedStream(peer, runs, limits);
        if (!stream.isThrough()) {
            streams.add(stream);
        }
    }

    /** Does what can be done now, and says whether everything has been sent. */
    boolean progress(int tag) {
        while (!flights.isEmpty() && flights.getFirst().request().test()) {
            idleFrames.add(flights.removeFirst().frame());
        }
        while (!streams.isEmpty() && (!idleFrames.isEmpty() || framesMade < limits.frames())) {
            // In turn, so that a long stream does not hold up the short ones.
            PackedStream stream = streams.removeFirst();
            sendFrame(stream, tag);
            if (!stream.isThrough()) {
                streams.add(stream);
            }
        }
        return streams.isEmpty() && flights.isEmpty();
    }

    private void sendFrame(PackedStream stream, int tag) {
        MemorySegment frame = frameFor(stream);
        long filled = 0;
        while (!stream.isThrough() && stream.bytes() <= frame.byteSize() - filled) {
            long bytes = stream.bytes();
            stream.pack(frame, filled);
            filled += bytes;
        }
        flights.add(new Flight(communicator.iSend(frame.asSlice(0, filled), stream.peer(), tag), frame));
    }

    /** The longest frame that is idle, or, where that is too short, a new one: in its place when there are enough. */
    private MemorySegment frameFor(PackedStream stream) {
        MemorySegment longest = idleFrames.peek();
        if (longest != null && longest.byteSize() == limits.frameBytes()) {
            return idleFrames.remove();
        }
        long wanted = stream.bytesWithin(limits.frameBytes());
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

    void abandon() {
        flights.forEach(flight -> flight.request().cancel());
        flights.clear();
        streams.clear();
    }
}
