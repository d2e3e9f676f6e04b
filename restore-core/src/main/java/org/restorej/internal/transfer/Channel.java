package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Settlement;
import org.restorej.internal.storage.Scratch;
import org.restorej.internal.storage.ScratchMemory;

/**
 * What the exchanges of one store share on one communicator: the sparse all-to-all, the transfers and their tags.
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
    private final ScratchMemory scratchMemory = new ScratchMemory();
    /** What frees the memory of operations that failed. */
    private final List<Runnable> keptMemory = new ArrayList<>();
    private boolean gaveUp;

    /**
     * A channel.
     *
     * @param communicator used by nothing else; closed with the channel
     * @param currentRankOf gives the current rank of a store rank that is alive
     */
    public Channel(Communicator communicator, IntUnaryOperator currentRankOf) {
        this(communicator, currentRankOf, TransferLimits.DEFAULT);
    }

    Channel(Communicator communicator, IntUnaryOperator currentRankOf, TransferLimits limits) {
        this.communicator = communicator;
        this.currentRankOf = currentRankOf;
        sparse = new SparseAllToAll(communicator, SPARSE_TAG);
        transfers = new Transfers(communicator, TRANSFER_TAG, limits);
    }

    /** The communicator underneath. */
    public Communicator communicator() {
        return communicator;
    }

    int rank() {
        return communicator.rank();
    }

    int size() {
        return communicator.size();
    }

    int currentRankOf(int originalRank) {
        return currentRankOf.applyAsInt(originalRank);
    }

    Transfers transfers() {
        return transfers;
    }

    /** What the operations since the last time this was asked for have moved. */
    public Traffic takeTraffic() {
        return transfers.takeTraffic();
    }

    /** Bytes of the buffers that are kept for the next operation; any thread. */
    public long stagingBytes() {
        return bufferBytes() + scratchMemory.bytes();
    }

    /** Bytes of those of them that messages are packed into and received in. */
    long bufferBytes() {
        return transfers.stagingBytes() + sparse.bufferBytes();
    }

    /** Memory for one operation; ended by {@link #release}, as all memory that messages come from or go to. */
    public Scratch openScratch() {
        return scratchMemory.open();
    }

    void beginTransfers() {
        transfers.beginRound();
    }

    /**
     * Sends each group of pieces to its PE, except to this one, and goes on until every transfer is through. Batch by
     * batch: the next one is asked for when the transfers of the one before are through, here, whatever the others do.
     *
     * @param batches at least one
     * @param receiver takes the groups that the others send
     * @param meanwhile what this PE has to do itself for a batch: done when the others have been told what they wait
     *        for
     */
    void announceAndTransfer(Iterator<PieceTable> batches, SparseAllToAll.Receiver receiver,
            Consumer<PieceTable> meanwhile) {
        SparseAllToAll.Round round = sparse.begin(receiver);
        do {
            PieceTable pieces = batches.next();
            if (!batches.hasNext()) {
                round.addedAll();
            }
            announceAndTransfer(pieces, round, !batches.hasNext(), () -> meanwhile.accept(pieces));
        } while (batches.hasNext());
    }

    private void announceAndTransfer(PieceTable pieces, SparseAllToAll.Round round, boolean last, Runnable meanwhile) {
        Scratch scratch = openScratch();
        boolean through = false;
        try {
            round.add(messages(pieces, scratch));
            round.send();
            meanwhile.run();
            while (!through) {
                boolean announced = round.progress() || (!last && round.hasDelivered());
                through = transfers.progress() && announced;
            }
        } finally {
            if (!through) {
                // The messages' memory serves others next, so nothing may be sending from it any more.
                stopSending();
                round.abandon();
            }
            release(scratch::close);
        }
    }

    private List<SparseAllToAll.Message> messages(PieceTable pieces, Scratch scratch) {
        List<SparseAllToAll.Message> messages = new ArrayList<>();
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != rank()) {
                MemorySegment message = scratch.allocate(pieces.wireBytes(group), Long.BYTES);
                pieces.encode(group, message);
                messages.add(new SparseAllToAll.Message(pieces.peer(group), message));
            }
        }
        return messages;
    }

    /** Goes on until every transfer is through. */
    void transfer() {
        while (!transfers.progress()) {
            Thread.onSpinWait();
        }
    }

    /**
     * Runs this PE's part of an operation and settles it with the others; see {@link Settlement#settle}. Called by all
     * PEs.
     */
    public <T extends @Nullable Object> Settlement.Outcome<T> settle(String operation,
            Supplier<Settlement.Outcome<T>> part) {
        return Settlement.settle(communicator, this::giveUp, operation, part);
    }

    /** When a part ends by an exception: from now on {@link #release} keeps what messages may still come from. */
    void stopSending() {
        communicator.revoke();
        gaveUp = true;
    }

    private void giveUp() {
        gaveUp = true;
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

    /** Frees staging, communicator and what was kept. */
    @Override
    public void close() {
        transfers.abandon();
        transfers.close();
        sparse.close();
        communicator.close();
        keptMemory.forEach(Runnable::run);
        keptMemory.clear();
        scratchMemory.close();
    }
}
