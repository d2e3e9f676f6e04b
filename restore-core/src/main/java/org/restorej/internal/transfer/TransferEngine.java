package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.restorej.comm.SparseAllToAll;
import org.restorej.comm.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.PullPlanner;
import org.restorej.internal.plan.PushPlanner;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * Runs plans: brings pieces from the memory of one PE to that of another.
 *
 * <p>
 * Where one side alone knows a plan, it tells the other by the sparse all-to-all, one message for each PE: a submission
 * announces what it sends, a pull what it wants. The other side answers as soon as it has read the message, while it is
 * still waiting for others. Then {@link Transfers} moves the bytes, straight from memory to memory where runs are long.
 * A trailer follows the blocks: the checksums of replicas, or whether the blocks are sound ({@link Payload}).
 *
 * <p>
 * Every method is called by all PEs, inside an operation that is settled. One thread. Has no state of its own.
 */
public final class TransferEngine {
    private final Channel channel;
    private final Transfers transfers;

    /** An engine. */
    public TransferEngine(Channel channel) {
        this.channel = channel;
        transfers = channel.transfers();
    }

    /**
     * Sends, in steps, a round of a submission to its holders and receives what the other PEs send in the same round.
     * For n submitted bytes a PE sends {@code K * n} bytes, and as many messages as there are holders plus long runs. The
     * memory of the blocks is free to use afterwards.
     *
     * @param planner of the submission: plans the round, and notes what has arrived
     * @param sources what this PE submits in this round
     * @param memory this PE's replicas, to be filled
     */
    public Task<SubmitPlanner> submit(SubmitPlanner planner, SourceRuns sources, BlockMemory memory) {
        return new SubmitTransfer(this, channel, planner, sources, memory);
    }

    /**
     * Fetches blocks by asking for them; a PE that wants nothing still serves. For n wanted bytes a PE receives n
     * bytes. A long wish is asked for in batches: the next one when the one before has come, whatever the others do.
     * When a server has found damage, what was delivered may be wrong: all is to be fetched again without the damaged
     * replicas.
     *
     * <p>
     * Returns when all PEs have what they want.
     *
     * @param planner plans what this PE wants
     * @param memory this PE's replicas
     * @param layout of the wanted blocks in ascending order of their ids
     * @param destination off-heap; filled with the blocks
     * @param trailers gives memory that stays until no message is under way any more
     * @return whether all that has come to this PE fits its checksums, as those say who have read it
     */
    public boolean pull(PullPlanner planner, CheckedMemory memory, BlockLayout layout, MemorySegment destination,
            SegmentAllocator trailers) {
        Payload.Wanted payload = new Payload.Wanted(memory, destination, layout, trailers);
        SparseAllToAll.Round round = fetch(planner, payload);
        round.addedAll();
        Answering answering = answering(round, payload);
        while (!round.isDone()) {
            answering.progress();
        }
        answering.finish();
        return payload.allSound();
    }

    /**
     * As {@link #pull}, but returns when this PE has what it wants; {@link Channel#settle} goes on to answer the others
     * until all have, so that the settlement is the only collective call of the pull. What is found damaged until then
     * {@code memory} knows afterwards; who wanted it is told here.
     */
    public boolean pullUntilSettled(PullPlanner planner, CheckedMemory memory, BlockLayout layout,
            MemorySegment destination, SegmentAllocator trailers) {
        Payload.Wanted payload = new Payload.Wanted(memory, destination, layout, trailers);
        SparseAllToAll.Round round = fetch(planner, payload);
        channel.answerUntilSettled(answering(round, payload));
        return payload.allSound();
    }

    /** Brings what this PE wants, and answers the others until that has come. */
    private SparseAllToAll.Round fetch(PullPlanner planner, Payload payload) {
        transfers.beginRound();
        SparseAllToAll.Round round = channel.sparse().begin();
        do {
            PieceTable pieces = planner.next();
            post(pieces, false, payload);
            new AnnouncedTransfer(this, channel, pieces, false, round, payload).await();
        } while (planner.hasNext());
        return round;
    }

    private Answering answering(SparseAllToAll.Round round, Payload payload) {
        return new Answering(round, transfers, next -> answer(next, true, payload));
    }

    /** Begins to send what another PE has announced that it wants, or to receive what it sends. */
    PieceTable answer(SparseAllToAll.Message announcement, boolean sends, Payload payload) {
        PieceTable pieces = PieceTable.decode(announcement.peer(), announcement.bytes());
        post(pieces, sends, payload);
        return pieces;
    }

    /**
     * Brings blocks to those who want them without requests; otherwise as {@link #pull}.
     *
     * @param planner plans what all PEs want
     */
    public boolean push(PushPlanner planner, CheckedMemory memory, BlockLayout layout, MemorySegment destination,
            SegmentAllocator trailers) {
        Payload.Wanted payload = new Payload.Wanted(memory, destination, layout, trailers);
        transfers.beginRound();
        PieceTable incoming = planner.incoming();
        post(incoming, false, payload);
        for (int peer = 0; peer < planner.peerCount(); peer++) {
            if (peer != channel.rank()) {
                // Under way while the next one is planned.
                post(planner.outgoing(peer), true, payload);
            }
        }
        copyOwn(incoming, payload);
        finishTransfers();
        return payload.allSound();
    }

    /**
     * Copies replicas to their new holders.
     *
     * @param source this PE's replicas
     * @param target the same memory, with room for what comes
     * @return bytes of blocks that have come to this PE, without checksums
     */
    public long replenish(ReplenishPlan plan, CheckedMemory source, ReplicaMemory target) {
        Payload payload = new Payload.Replicas(source, target);
        transfers.beginRound();
        post(plan.incoming(), false, payload);
        post(plan.outgoing(), true, payload);
        finishTransfers();
        return plan.incoming().bytes(target);
    }

    /** Begins to send, or to receive, each group that is another PE's. */
    void post(PieceTable pieces, boolean sends, Payload payload) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            int peer = pieces.peer(group);
            if (peer != channel.rank()) {
                if (sends) {
                    transfers.send(peer, payload.toSend(pieces, group));
                } else {
                    transfers.receive(peer, payload.toReceive(pieces, group));
                }
            }
        }
    }

    /** Copies the group that is this PE's. */
    void copyOwn(PieceTable pieces, Payload payload) {
        int own = pieces.groupOf(channel.rank());
        if (own >= 0) {
            payload.copy(pieces, own);
        }
    }

    /** Begins to tell each PE its group, except this one. */
    void announce(PieceTable pieces, SparseAllToAll.Round round, PooledMemory scratch) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != channel.rank()) {
                MemorySegment message = scratch.allocate(pieces.wireBytes(group), Long.BYTES);
                pieces.encode(group, message);
                round.add(new SparseAllToAll.Message(pieces.peer(group), message));
            }
        }
        round.send();
    }

    private void finishTransfers() {
        while (!transfers.progress()) {
            Thread.onSpinWait();
        }
    }
}
