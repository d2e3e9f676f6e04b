package org.restorej.internal.transfer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.PendingSettlement;
import org.restorej.comm.Settlement;
import org.restorej.comm.SparseAllToAll;
import org.restorej.comm.Task;
import org.restorej.internal.plan.Peers;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.SegmentPool;

/**
 * What the operations of one store share on one communicator: the sparse all-to-all, the transfers and their tags.
 *
 * <p>
 * A channel belongs to a communicator of its own, which it closes. After a failure it is of no more use: the store
 * makes a new one on the survivors' communicator. One thread.
 */
public final class Channel implements AutoCloseable {
    private static final int SPARSE_TAG = 0;
    private static final int TRANSFER_TAG = 2;

    private final Communicator communicator;
    private final IntUnaryOperator currentRankOf;
    private final SparseAllToAll sparse;
    private final Transfers transfers;
    private final SegmentPool pool;
    /** Frames and receive buffers. */
    private final PooledMemory buffers;
    /** What frees the memory of operations that failed. */
    private final List<Runnable> keptMemory = new ArrayList<>();
    /** Scratch memory of operations that are not over. */
    private final Set<PooledMemory> scratch = new HashSet<>();
    /** What the others still need of this PE in an operation whose own part is done. */
    private @Nullable PullTransfer answering;
    private boolean gaveUp;

    /**
     * A channel.
     *
     * @param communicator used by nothing else; closed with the channel
     * @param pool gives the memory for messages
     * @param currentRankOf gives the current rank of a store rank that is alive
     */
    public Channel(Communicator communicator, SegmentPool pool, IntUnaryOperator currentRankOf) {
        this(communicator, pool, currentRankOf, TransferLimits.DEFAULT);
    }

    Channel(Communicator communicator, SegmentPool pool, IntUnaryOperator currentRankOf, TransferLimits limits) {
        this.communicator = communicator;
        this.pool = pool;
        buffers = pool.open();
        this.currentRankOf = currentRankOf;
        sparse = new SparseAllToAll(communicator, SPARSE_TAG, buffers::allocateBuffer);
        transfers = new Transfers(communicator, TRANSFER_TAG, limits, buffers);
    }

    /** The communicator underneath. */
    public Communicator communicator() {
        return communicator;
    }

    int rank() {
        return communicator.rank();
    }

    /**
     * The PEs, as plans name them.
     *
     * @param storeRank of this PE, or -1
     */
    public Peers peers(int storeRank) {
        return new Peers(storeRank, rank(), communicator.size(), currentRankOf);
    }

    SparseAllToAll sparse() {
        return sparse;
    }

    Transfers transfers() {
        return transfers;
    }

    /** What the operations since the last time this was asked for have moved. */
    public Traffic takeTraffic() {
        return transfers.takeTraffic();
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

    /** Frees scratch memory, as {@link #release(Runnable)} does; a second call does nothing. */
    public void release(PooledMemory opened) {
        if (!gaveUp && scratch.remove(opened)) {
            opened.close();
        }
    }

    /**
     * Runs this PE's part of an operation and settles it with the others; see {@link Settlement#settle}. Called by all
     * PEs.
     */
    public <T extends @Nullable Object> Settlement.Outcome<T> settle(String operation,
            Supplier<Settlement.Outcome<T>> part) {
        return Settlement.settle(communicator, new PullUnderway(false), operation, part);
    }

    /**
     * As {@link #settle}, of a part that goes on in steps.
     *
     * @param needsEverybody see {@link Settlement.Underway#needsEverybody}
     */
    public <T extends @Nullable Object> PendingSettlement<T> begin(String operation, boolean needsEverybody,
            Task<Settlement.Outcome<T>> part) {
        return Settlement.begin(communicator, new PullUnderway(needsEverybody), operation, part);
    }

    /** This PE has what it wanted; the others are answered until the settlement of this operation. */
    void answerUntilSettled(PullTransfer pull) {
        answering = pull;
    }

    private final class PullUnderway implements Settlement.Underway {
        private final boolean needsEverybody;

        PullUnderway(boolean needsEverybody) {
            this.needsEverybody = needsEverybody;
        }

        @Override
        public boolean needsEverybody() {
            return needsEverybody;
        }

        @Override
        public void giveUp() {
            Channel.this.giveUp();
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
    }

    private void giveUp() {
        gaveUp = true;
        answering = null;
        sparse.abandon();
        transfers.abandon();
    }

    /** Whether an operation on this channel was given up, so that messages may still be under way. */
    public boolean hasGivenUp() {
        return gaveUp;
    }

    /**
     * Frees memory that messages have come from or gone to: at once, or, after a failure, when the channel is closed,
     * which a store does when the survivors have shrunk. Until then an MPI that has ended a cancelled request early may
     * still be at work on its memory (seen in Open MPI 5.0.7).
     *
     * @param free frees it
     */
    public void release(Runnable free) {
        if (gaveUp) {
            keptMemory.add(free);
        } else {
            free.run();
        }
    }

    /** Frees buffers and communicator, and gives back what was kept. */
    @Override
    public void close() {
        transfers.abandon();
        buffers.close();
        communicator.close();
        scratch.forEach(PooledMemory::close);
        scratch.clear();
        keptMemory.forEach(Runnable::run);
        keptMemory.clear();
    }
}
