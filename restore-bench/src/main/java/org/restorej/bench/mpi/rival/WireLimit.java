package org.restorej.bench.mpi.rival;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * The raw MPI baseline: the same bytes between the same ranks by non-blocking receives and sends straight between two
 * big buffers, one message for each pair. What a PE has itself is copied. No protocol can be faster than about this.
 */
public final class WireLimit implements Exchange {
    private static final int TAG = 7;
    /** The longest message that MPI's counts allow, rounded down. */
    private static final long MESSAGE_BYTES = 1L << 30;

    private final MpiComm communicator;
    private final TouchedBuffers buffers;
    private final List<Transfer> receives = new ArrayList<>();
    private final List<Transfer> sends = new ArrayList<>();
    private final ArrayDeque<MpiOperation> pending = new ArrayDeque<>();
    private final long operationBytes;

    /** One message; made once, not while time is taken. */
    private record Transfer(int peer, MemorySegment buffer) {}

    /**
     * Moves bytes between PEs. Collective.
     *
     * @param communicator used by nothing else at the same time; stays the caller's
     * @param bytes who sends how much to whom
     * @param sourceBytes bytes that the operation reads that this is compared with
     * @param operationBytes bytes that this PE asks that operation for
     */
    public WireLimit(MpiComm communicator, PeerBytes bytes, long sourceBytes, long operationBytes) {
        this.communicator = communicator;
        this.operationBytes = operationBytes;
        buffers = new TouchedBuffers(communicator, bytes, sourceBytes);
        for (int peer = 0; peer < bytes.peCount(); peer++) {
            if (peer != communicator.rank()) {
                cut(peer, buffers.toReceive(peer), receives);
                cut(peer, buffers.toSend(peer), sends);
            }
        }
    }

    private static void cut(int peer, MemorySegment whole, List<Transfer> transfers) {
        for (long offset = 0; offset < whole.byteSize(); offset += MESSAGE_BYTES) {
            long bytes = Math.min(MESSAGE_BYTES, whole.byteSize() - offset);
            transfers.add(new Transfer(peer, whole.asSlice(offset, bytes)));
        }
    }

    @Override
    public long bytes() {
        return operationBytes;
    }

    @Override
    public void clear() {
        buffers.clear();
    }

    @Override
    public void run() {
        begin();
        while (!isDone()) {
            Thread.onSpinWait();
        }
    }

    /** Begins what {@link #run} does. */
    public void begin() {
        try {
            for (Transfer receive : receives) {
                pending.add(communicator.receive(new MpiOperation(), receive.buffer(), receive.peer(), TAG));
            }
            for (Transfer send : sends) {
                pending.add(communicator.send(new MpiOperation(), send.buffer(), send.peer(), TAG));
            }
            buffers.toReceive(buffers.rank()).copyFrom(buffers.toSend(buffers.rank()));
        } catch (MpiException failure) {
            throw failed(failure);
        }
    }

    /** Whether all has moved; asks MPI after the oldest message that is under way. */
    public boolean isDone() {
        try {
            while (!pending.isEmpty() && pending.getFirst().poll()) {
                pending.removeFirst();
            }
            return pending.isEmpty();
        } catch (MpiException failure) {
            throw failed(failure);
        }
    }

    private static MpiFailure failed(MpiException failure) {
        return new MpiFailure("plain sends and receives", failure);
    }

    @Override
    public void check() {
        buffers.check("raw MPI baseline");
    }

    @Override
    public void close() {
        buffers.close();
    }
}
