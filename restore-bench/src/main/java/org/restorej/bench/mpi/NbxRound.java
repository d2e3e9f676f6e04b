package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.comm.Communicator;
import org.restorej.comm.collective.SparseAllToAll;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.SegmentPool;

/** A round of the store's sparse all-to-all. What is received is copied, as a user would have to. */
final class NbxRound implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final SparseMessages sent;
    private final Communicator communicator;
    private final PooledMemory buffers = new SegmentPool().open();
    private final SparseAllToAll sparse;
    private final List<SparseAllToAll.Message> messages = new ArrayList<>();
    private final MemorySegment[] received;
    private final long[] filled;

    NbxRound(RankWorld ranks, SparseMessages sent) {
        this.sent = sent;
        communicator = ranks.communicator().duplicate();
        sparse = new SparseAllToAll(communicator, 0, buffers::allocateOwn);
        long offset = 0;
        for (int peer = 0; peer < sent.peCount(); peer++) {
            for (int message = 0; message < sent.countFor(peer); message++) {
                messages.add(new SparseAllToAll.Message(peer, sent.segment().asSlice(offset, sent.messageBytes())));
                offset += sent.messageBytes();
            }
        }
        received = new MemorySegment[sent.peCount()];
        // One PE may have sent all there are.
        Arrays.setAll(received,
                _ -> arena.allocate(Math.max(1, (long) sent.expectedCount() * sent.messageBytes()), 64));
        filled = new long[sent.peCount()];
    }

    @Override
    public long bytes() {
        return sent.bytes();
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

    @Override
    public void check() {
        for (int peer = 0; peer < received.length; peer++) {
            sent.requireFrom(peer, received[peer].asSlice(0, filled[peer]));
        }
    }

    @Override
    public void close() {
        buffers.close();
        communicator.close();
        sent.close();
        arena.close();
    }
}
