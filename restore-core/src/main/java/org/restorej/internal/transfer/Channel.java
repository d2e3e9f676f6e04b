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
 * What the operations of one store share on one communicator: the sparse all-to-all, the streams of bytes between this
 * PE and others, their tags and buffers.
 *
 * <p>
 * Streams are for PEs that both know, or are just learning, which runs go from the one to the other. Long runs go
 * straight from memory to memory, short ones are packed into frames; buffers are bounded by {@link TransferLimits}
 * whatever the amount of data and the number of PEs. Streams may be added while others are under way.
 *
 * <p>
 * A channel belongs to a communicator of its own, which it closes. After a failure it is of no more use: the store
 * makes a new one on the survivors' communicator. One thread.
 */
public final class Channel implements AutoCloseable, Underway {
    // Of each two in turn, round by round.
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
    /** Of the direct streams, those that receive. */
    private int receiving;
    private int rounds;
    private long sentBytes;
    private long receivedBytes;
    private final IntSet peers = new IntOpenHashSet();
    /** What frees the memory of operations that failed. */
    private final List<Runnable> keptMemory = new ArrayList<>();
    /** Scratch memory of operations that are not over. */
    private final Set<PooledMemory> scratch = new HashSet<>();
    /** What the others still need of this PE in an operation whose own part is done. */
    private @Nullable Transfer answering;
    private boolean aborted;

    /**
     * A channel.
     *
     * @param communicator used by nothing else; closed with the channel
     * @param pool gives the memory for messages
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

    /** Begins a round; everything of the one before has been sent and received here. */
    void beginRound() {
        rounds++;
    }

    /** Begins to send runs to a PE: in a round again only when it has received all that was sent to it before. */
    void send(int peer, List<MemorySegment> runs) {
        add(true, peer, runs);
    }

    /** Begins to receive runs from a PE: in a round again only when all has come that was expected from it before. */
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
        // Known before anything of it is under way, so that it is given up too when that fails.
        directStreams.add(stream);
        stream.post();
    }

    /** Does what can be done now, and says whether all runs added so far are through. */
    boolean progress() {
        boolean sent = packedSender.progress(PACKED_TAG + (rounds & 1));
        boolean received = packedReceiver.progress(PACKED_TAG + (rounds & 1));
        return progressDirect() && sent && received;
    }

    /**
     * Goes through the direct streams, each time from where the last time ended, until one has to wait. Asking MPI
     * after something that is not done makes a process yield its core, and where others compute on it, it gets it back
     * milliseconds later: so that is done once a time and not once a stream.
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

    /** Whether all that is to come to this PE has come, as far as {@link #progress} has seen. */
    boolean hasReceived() {
        return receiving == 0 && packedReceiver.isThrough();
    }

    /** Bytes that left for other PEs, or have begun to, since {@link #resetTraffic}. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Bytes that came from other PEs, or have begun to, since {@link #resetTraffic}. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** PEs that bytes left for or came from since {@link #resetTraffic}. */
    public int peers() {
        return peers.size();
    }

    /** Counts from zero. */
    public void resetTraffic() {
        sentBytes = 0;
        receivedBytes = 0;
        peers.clear();
    }

    /** Bytes of the buffers that are kept for the next operation; any thread. */
    public long keptBytes() {
        return bufferBytes() + pool.scratchBytes();
    }

    /** Bytes of those of them that messages are packed into and received in. */
    long bufferBytes() {
        return buffers.bytes();
    }

    /** Memory for messages of one operation, until {@link #release(PooledMemory)}, or until the channel is closed. */
    public PooledMemory openScratch() {
        PooledMemory opened = pool.open();
        scratch.add(opened);
        return opened;
    }

    /**
     * Frees scratch memory, as {@link #release(Runnable)} does; a second call does nothing. With a full heap what can't
     * be freed now is freed with the channel: all PEs have agreed on the operation, which must not fail on this one.
     */
    public void release(PooledMemory opened) {
        if (!aborted && scratch.contains(opened)) {
            try {
                opened.close();
                scratch.remove(opened);
            } catch (OutOfMemoryError _) {
                // Closed again then.
            }
        }
    }

    /** This PE has what it wanted; the others are answered until the settlement of this operation. */
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

    /** All of them, whatever one throws: MPI uses the memory of what is left. */
    private void abortStreams() {
        List<Runnable> streams = new ArrayList<>(List.of(packedSender::abort, packedReceiver::abort));
        directStreams.forEach(stream -> streams.add(stream::abort));
        directStreams.clear();
        receiving = 0;
        Completely.forEach(streams, Runnable::run);
    }

    /** Whether an operation on this channel was given up, so that messages may still be under way. */
    public boolean hasAborted() {
        return aborted;
    }

    /**
     * Frees memory that messages have come from or gone to: at once, or, after a failure, when the channel is closed,
     * which a store does when the survivors have shrunk. Until then an MPI that has ended a cancelled request early may
     * still be at work on its memory (seen in Open MPI 5.0.7).
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

    /** Frees buffers and communicator, and gives back what was kept. */
    @Override
    public void close() {
        abortStreams();
        buffers.close();
        communicator.close();
        scratch.forEach(PooledMemory::close);
        scratch.clear();
        keptMemory.forEach(Runnable::run);
        keptMemory.clear();
    }
}
