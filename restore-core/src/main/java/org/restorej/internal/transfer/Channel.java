package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Underway;
import org.restorej.comm.collective.SparseAllToAll;
import org.restorej.internal.message.Completely;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.SegmentPool;

/**
 * Everything that the operations of one store share on one communicator: the sparse all-to-all, the streams of bytes
 * between this PE and others, their tags and buffers.
 *
 * <p>
 * A stream is used when both PEs know, or are about to learn, which runs it has. Long runs are sent directly from
 * memory to memory, short ones are packed into frames. Buffers are bounded by {@link TransferLimits} for any amount of
 * data and any number of PEs. Streams may be added while others are under way.
 *
 * <p>
 * A channel owns its communicator and closes it. After a failure it can't be used any more: the store creates a new one
 * on the survivors' communicator. Not thread-safe.
 */
public final class Channel implements AutoCloseable, Underway {
    // The first of two tags each, which alternate between rounds.
    private static final int SPARSE_TAG = 0;
    private static final int DIRECT_TAG = 2;
    private static final int PACKED_TAG = 4;

    private final Communicator communicator;
    private final TransferLimits limits;
    private final SegmentPool pool;
    /** Frames and receive buffers. */
    private final PooledMemory buffers;
    private final SparseAllToAll sparse;
    private final PackedSender packedSender;
    private final PackedReceiver packedReceiver;
    private final ArrayDeque<DirectStream> directStreams = new ArrayDeque<>();
    /** Number of direct streams that receive. */
    private int receiving;
    private int rounds;
    private long sentBytes;
    private long receivedBytes;
    private final IntSet peers = new IntOpenHashSet();
    /** Actions that free the memory of failed operations. */
    private final List<Runnable> keptMemory = new ArrayList<>();
    /** Scratch memory of operations that have not ended. */
    private final Set<PooledMemory> scratch = new HashSet<>();
    /** The transfer that the other PEs still need, in an operation whose own part is done. */
    private @Nullable Transfer answering;
    private boolean aborted;

    /**
     * Creates a channel.
     *
     * @param communicator used by nothing else; closed with the channel
     * @param pool provides the memory for messages
     */
    public Channel(Communicator communicator, SegmentPool pool) {
        this(communicator, pool, TransferLimits.DEFAULT);
    }

    Channel(Communicator communicator, SegmentPool pool, TransferLimits limits) {
        this.communicator = communicator;
        this.pool = pool;
        this.limits = limits;
        buffers = pool.open();
        sparse = new SparseAllToAll(communicator, SPARSE_TAG, buffers::allocateBuffer);
        packedSender = new PackedSender(communicator, limits, buffers);
        packedReceiver = new PackedReceiver(communicator, limits, buffers);
    }

    public Communicator communicator() {
        return communicator;
    }

    int rank() {
        return communicator.rank();
    }

    SparseAllToAll sparse() {
        return sparse;
    }

    /** Starts a round. This PE must have sent and received everything of the previous one. */
    void beginRound() {
        rounds++;
    }

    /**
     * Starts to send runs to a PE. A second call in the same round must wait until that PE has received all earlier
     * runs.
     */
    void send(int peer, List<MemorySegment> runs) {
        add(true, peer, runs);
    }

    /**
     * Starts to receive runs from a PE. A second call in the same round must wait until all earlier runs have arrived.
     */
    void receive(int peer, List<MemorySegment> runs) {
        add(false, peer, runs);
    }

    private void add(boolean sends, int peer, List<MemorySegment> runs) {
        ArrayDeque<MemorySegment> direct = new ArrayDeque<>();
        ArrayDeque<MemorySegment> packed = new ArrayDeque<>();
        long total = 0;
        for (MemorySegment run : runs) {
            long bytes = run.byteSize();
            total += bytes;
            if (bytes < limits.directBytes()) {
                packed.add(run);
                continue;
            }
            for (long offset = 0; offset < bytes; offset += limits.messageBytes()) {
                direct.add(run.asSlice(offset, Math.min(limits.messageBytes(), bytes - offset)));
            }
        }
        peers.add(peer);
        if (sends) {
            sentBytes += total;
            packedSender.add(peer, packed);
        } else {
            receivedBytes += total;
            packedReceiver.add(peer, packed);
            receiving++;
        }
        DirectStream stream = new DirectStream(communicator, limits.window(), sends, peer, DIRECT_TAG + (rounds & 1),
                direct);
        // Added before its messages start, so that it is also aborted if that fails.
        directStreams.add(stream);
        stream.post();
    }

    /** Makes progress, and returns whether all runs added so far are complete. */
    boolean progress() {
        boolean sent = packedSender.progress(PACKED_TAG + (rounds & 1));
        boolean received = packedReceiver.progress(PACKED_TAG + (rounds & 1));
        return progressDirect() && sent && received;
    }

    /**
     * Makes progress on the direct streams in turn until one has to wait, each time starting where it stopped. A test
     * of a request that isn't done makes a process yield its core, and it may get it back only milliseconds later if
     * others compute: so there is at most one such test in each call, not one for each stream.
     */
    private boolean progressDirect() {
        while (!directStreams.isEmpty()) {
            DirectStream stream = directStreams.getFirst();
            boolean done = stream.progress();
            directStreams.removeFirst();
            if (!done) {
                directStreams.addLast(stream);
                return false;
            }
            receiving -= stream.sends() ? 0 : 1;
        }
        return true;
    }

    /** Whether everything for this PE has been received, as of the last {@link #progress}. */
    boolean hasReceived() {
        return receiving == 0 && packedReceiver.isThrough();
    }

    /** Bytes that were sent to other PEs, or have started to be, since {@link #resetTraffic}. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Bytes that were received from other PEs, or have started to be, since {@link #resetTraffic}. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Number of PEs with which bytes were exchanged since {@link #resetTraffic}. */
    public int peers() {
        return peers.size();
    }

    /** Resets the counters. */
    public void resetTraffic() {
        sentBytes = 0;
        receivedBytes = 0;
        peers.clear();
    }

    /** Bytes of the buffers that are kept for the next operation. Thread-safe. */
    public long keptBytes() {
        return bufferBytes() + pool.scratchBytes();
    }

    /** Bytes of the frames and receive buffers: a part of {@link #keptBytes}. */
    long bufferBytes() {
        return buffers.bytes();
    }

    /** Opens memory for messages of one operation, until {@link #release(PooledMemory)} or {@link #close}. */
    public PooledMemory openScratch() {
        PooledMemory opened = pool.open();
        scratch.add(opened);
        return opened;
    }

    /**
     * Frees scratch memory, as {@link #release(Runnable)} does; a second call does nothing. If the heap is full, it is
     * freed with the channel instead: all PEs have agreed on the operation, so it must not fail on this one.
     */
    public void release(PooledMemory opened) {
        if (!aborted && scratch.contains(opened)) {
            try {
                opened.close();
                scratch.remove(opened);
            } catch (OutOfMemoryError _) {
                // Freed when the channel is closed.
            }
        }
    }

    /** Continues to answer the other PEs until the settlement of this operation, although this PE's part is done. */
    void answerUntilSettled(Transfer pull) {
        answering = pull;
    }

    @Override
    public boolean isNeeded() {
        return answering != null;
    }

    @Override
    public void serve() {
        Objects.requireNonNull(answering).serve();
    }

    @Override
    public void finish() {
        Objects.requireNonNull(answering).finish();
        answering = null;
    }

    @Override
    public void abort() {
        aborted = true;
        answering = null;
        Completely.forEach(List.<Runnable>of(sparse::abort, this::abortStreams), Runnable::run);
    }

    /** Aborts all streams even if one throws, because MPI uses the memory of the others. */
    private void abortStreams() {
        List<Runnable> streams = new ArrayList<>(List.of(packedSender::abort, packedReceiver::abort));
        directStreams.forEach(stream -> streams.add(stream::abort));
        directStreams.clear();
        receiving = 0;
        Completely.forEach(streams, Runnable::run);
    }

    /** Whether an operation on this channel was aborted, so that messages may still be in flight. */
    public boolean hasAborted() {
        return aborted;
    }

    /**
     * Frees memory that messages have used: at once or, after a failure, when the channel is closed, which a store does
     * when the survivors have shrunk. Until then an MPI that has ended a cancelled request early may still access the
     * memory (seen in Open MPI 5.0.7).
     *
     * @param free frees it
     */
    public void release(Runnable free) {
        if (aborted) {
            keptMemory.add(free);
        } else {
            free.run();
        }
    }

    /** Frees buffers, communicator and kept memory. Frees no memory if a stream can't be aborted: MPI may use it. */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>(List.of(communicator::close));
        try {
            abortStreams();
            steps.add(buffers::close);
            scratch.forEach(memory -> steps.add(memory::close));
            scratch.clear();
            steps.addAll(keptMemory);
            keptMemory.clear();
        } finally {
            Completely.forEach(steps, Runnable::run);
        }
    }
}
