package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.comm.Communicator;
import org.restorej.comm.collective.SparseAllToAll;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.SegmentPool;

/**
 * A round of the store's sparse all-to-all: each PE sends 64 messages of 64 bytes to all others in turn. What is
 * received is copied, as a user would have to.
 */
final class NbxRound implements Exchange {
    private static final int MESSAGES = 64;
    private static final int MESSAGE_BYTES = 64;

    private final Arena arena = Arena.ofShared();
    private final RankWorld ranks;
    private final Communicator communicator;
    private final PooledMemory buffers = new SegmentPool().open();
    private final SparseAllToAll sparse;
    private final List<SparseAllToAll.Message> messages = new ArrayList<>();
    private final MemorySegment[] received;
    private final long[] filled;

    NbxRound(RankWorld ranks) {
        this.ranks = ranks;
        communicator = ranks.communicator().duplicate();
        sparse = new SparseAllToAll(communicator, 0, buffers::allocateOwn);
        for (int message = 0; message < MESSAGES; message++) {
            MemorySegment bytes = arena.allocate(MESSAGE_BYTES, 64);
            KnownBytes.fill(bytes, ranks.rank(), (long) message * MESSAGE_BYTES);
            messages.add(new SparseAllToAll.Message(receiver(ranks.rank(), message), bytes));
        }
        received = new MemorySegment[ranks.size()];
        Arrays.setAll(received, _ -> arena.allocate((long) MESSAGES * MESSAGE_BYTES, 64));
        filled = new long[ranks.size()];
    }

    private int receiver(int sender, int message) {
        return (sender + 1 + message) % ranks.size();
    }

    @Override
    public long bytes() {
        return (long) MESSAGES * MESSAGE_BYTES;
    }

    @Override
    public void clear() {
        for (MemorySegment segment : received) {
            segment.fill((byte) 0xEE);
        }
    }

    @Override
    public void run() {
        Arrays.fill(filled, 0);
        SparseAllToAll.Round round = sparse.begin(messages);
        while (!round.isDone()) {
            SparseAllToAll.Message next = round.poll();
            if (next == null) {
                Thread.onSpinWait();
                continue;
            }
            int source = next.peer();
            MemorySegment.copy(next.bytes(), 0, received[source], filled[source], next.bytes().byteSize());
            filled[source] += next.bytes().byteSize();
        }
    }

    /** MPI keeps the order of messages from one sender. */
    @Override
    public void check() {
        for (int sender = 0; sender < received.length; sender++) {
            long checked = 0;
            for (int message = 0; message < MESSAGES; message++) {
                if (receiver(sender, message) == ranks.rank()) {
                    KnownBytes.require(received[sender].asSlice(checked, MESSAGE_BYTES), sender,
                            (long) message * MESSAGE_BYTES, "message " + message + " of rank " + sender);
                    checked += MESSAGE_BYTES;
                }
            }
            if (filled[sender] != checked) {
                throw new WrongBytesException("rank " + ranks.rank() + " has received " + filled[sender]
                        + " bytes of rank " + sender + " and not " + checked);
            }
        }
    }

    @Override
    public void close() {
        buffers.close();
        communicator.close();
        arena.close();
    }
}
