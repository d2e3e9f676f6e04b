package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.ReStore;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.block.BlockRange;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.placement.FailedRanks;

/**
 * The raw MPI baseline: the same bytes between the same ranks by non-blocking receives and sends straight between two
 * big buffers, which were touched before, one message for each pair. What a PE has itself is copied. No protocol can be
 * faster than about this. What is sent comes from all over a source that may be smaller than all that is sent, as
 * replicas come of one copy of the data.
 */
final class WireLimit implements Exchange {
    private static final int TAG = 7;
    /** The longest message that MPI's counts allow, rounded down. */
    private static final long MESSAGE_BYTES = 1L << 30;

    private final Arena arena = Arena.ofShared();
    private final MpiComm communicator;
    private final long operationBytes;
    private final MemorySegment destination;
    private final List<Transfer> receives = new ArrayList<>();
    private final List<Transfer> sends = new ArrayList<>();
    private final MemorySegment fromMyself;
    private final MemorySegment toMyself;
    /** What each PE has sent here: a part of the destination, and where it began in that PE's source. */
    private final MemorySegment[] received;
    private final long[] theirOffsets;
    private final ArrayDeque<MpiOperation> pending = new ArrayDeque<>();

    /** One message; made once, not while time is taken. */
    private record Transfer(int peer, MemorySegment buffer) {}

    private WireLimit(RankWorld ranks, long[] sentBytes, long[] receivedBytes, long sourceBytes, long operationBytes) {
        communicator = ranks.plain().communicator();
        this.operationBytes = operationBytes;
        long longest = Math.max(sourceBytes, Arrays.stream(sentBytes).max().orElse(0));
        MemorySegment source = arena.allocate(longest, 64);
        KnownBytes.fill(source, ranks.rank(), 0);
        long[] offsets = offsets(sentBytes, longest);
        theirOffsets = ranks.transposed(offsets);
        destination = arena.allocate(Math.max(1, Arrays.stream(receivedBytes).sum()), 64);
        clear();
        MemorySegment[] sent = parts(source, offsets, sentBytes);
        received = parts(destination, offsets(receivedBytes, Long.MAX_VALUE), receivedBytes);
        for (int peer = 0; peer < sent.length; peer++) {
            if (peer != ranks.rank()) {
                cut(peer, received[peer], receives);
                cut(peer, sent[peer], sends);
            }
        }
        fromMyself = sent[ranks.rank()];
        toMyself = received[ranks.rank()];
    }

    /**
     * The bytes of a submit. Collective.
     *
     * @param store says where replicas go; is not used any more afterwards
     * @param mine blocks that this PE submits
     */
    static WireLimit ofSubmit(RankWorld ranks, StoreShape shape, ReStore store, BlockRange mine) {
        long[] sent = BlockTraffic.sentBySubmit(store, mine);
        return new WireLimit(ranks, sent, ranks.transposed(sent), shape.bytesPerPe(), shape.bytesOf(mine));
    }

    /** The bytes of a pull, when some PEs have failed; otherwise as {@link #ofSubmit}. */
    static WireLimit ofPull(RankWorld ranks, StoreShape shape, ReStore store, BlockRange wanted, FailedRanks failed) {
        long[] received = BlockTraffic.receivedByPull(store, wanted, ranks.rank(), failed);
        return new WireLimit(ranks, ranks.transposed(received), received, shape.bytesPerPe(), shape.bytesOf(wanted));
    }

    /** Where each peer's part begins: one after the other, and from the beginning again where a capacity ends. */
    private static long[] offsets(long[] lengths, long capacity) {
        long[] offsets = new long[lengths.length];
        long next = 0;
        for (int peer = 0; peer < lengths.length; peer++) {
            offsets[peer] = next + lengths[peer] > capacity ? 0 : next;
            next = offsets[peer] + lengths[peer];
        }
        return offsets;
    }

    private static MemorySegment[] parts(MemorySegment memory, long[] offsets, long[] lengths) {
        MemorySegment[] parts = new MemorySegment[lengths.length];
        Arrays.setAll(parts, peer -> memory.asSlice(offsets[peer], lengths[peer]));
        return parts;
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
        destination.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        try {
            for (Transfer receive : receives) {
                pending.add(communicator.receive(new MpiOperation(), receive.buffer(), receive.peer(), TAG));
            }
            for (Transfer send : sends) {
                pending.add(communicator.send(new MpiOperation(), send.buffer(), send.peer(), TAG));
            }
            toMyself.copyFrom(fromMyself);
            while (!pending.isEmpty()) {
                if (pending.getFirst().poll()) {
                    pending.removeFirst();
                } else {
                    Thread.onSpinWait();
                }
            }
        } catch (MpiException failure) {
            throw new IllegalStateException("plain sends and receives: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void check() {
        for (int peer = 0; peer < received.length; peer++) {
            KnownBytes.require(received[peer], peer, theirOffsets[peer], "raw MPI baseline of rank " + peer);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
