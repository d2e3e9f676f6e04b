package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Task;
import org.restorej.comm.collective.SparseAllToAll;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.ReadPlanner;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * Runs a plan: brings the bytes of its pieces from PE to PE. Begun by all PEs.
 *
 * <p>
 * Where one side alone knows a plan, it tells the other by the sparse all-to-all, one message for each PE: a submission
 * announces what it sends, a pull what it wants. The other side answers as soon as it has read the message, while it is
 * still waiting for others. What both sides know from their plans, nobody has to tell: a replenishment. Comes
 * to whether all that this PE has got fits its checksums, as those say who have read it. One thread.
 */
public final class Transfer implements Task<Boolean> {
    private final Channel channel;
    private final Payload payload;
    /** Null where every PE knows the plans of all. */
    private final SparseAllToAll.@Nullable Round round;
    /** Begins to move what another PE has announced. */
    private Consumer<PieceTable> answer = _ -> {};
    /** Asks for more, if there is anything left; called when all has come that was asked for before. */
    private BooleanSupplier asksForMore = () -> false;
    private boolean hasAskedForAll;
    /** Announcements that have not been read yet. */
    private @Nullable PooledMemory announced;
    private boolean endsInSettlement;

    Transfer(Channel channel, Payload payload, SparseAllToAll.@Nullable Round round) {
        this.channel = channel;
        this.payload = payload;
        this.round = round;
        channel.beginRound();
    }

    /**
     * Begins a round of a submission: sends what this PE submits to its holders and receives what the others send in
     * the same round. For n submitted bytes a PE sends {@code K * n} bytes, or, coded, {@code (1 + m / k) * n} of whole
     * rows, and as many messages as there are holders plus long runs. The memory of the blocks is free to use afterwards.
     *
     * @param planner of the submission: plans the round, and notes what has arrived
     * @param sources what this PE submits in this round
     * @param memory this PE's replicas, to be filled
     * @param last begins the collective call that ends the round: of what it comes to, all PEs know afterwards
     */
    public static Task<SubmitPlanner> submit(Channel channel, SubmitPlanner planner, SourceRuns sources,
            BlockMemory memory, Supplier<Request> last) {
        PooledMemory memoryOfRound = channel.openScratch();
        SubmitPlan plan = planner.plan(sources, memoryOfRound);
        PieceTable pieces = plan.pieces();
        List<PieceTable> arrived = new ArrayList<>();
        SparseAllToAll.Round round = channel.sparse().begin();
        Transfer transfer = new Transfer(channel,
                Payload.Submitted.of(plan, memoryOfRound, memory, planner.checksums()), round);
        transfer.answer = incoming -> {
            transfer.receive(incoming);
            arrived.add(incoming);
        };
        transfer.send(pieces);
        transfer.announce(pieces, round);
        round.addedAll(last);
        return transfer.then(_ -> {
            arrived.forEach(group -> planner.noteArrived(group, 0));
            planner.noteArrived(pieces, pieces.groupOf(channel.rank()));
            channel.release(memoryOfRound);
            return planner;
        });
    }

    /**
     * Begins to fetch blocks by asking for them; a PE that wants nothing still serves. For n wanted bytes a PE receives
     * n bytes. A long wish is asked for in batches: the next one when the one before has come, whatever the others do.
     * If not all that has come fits its checksums, all is to be fetched again without the damaged replicas.
     *
     * @param planner plans what this PE wants
     * @param memory this PE's replicas
     * @param target filled with the blocks
     * @param trailers gives memory that stays until no message is under way any more
     * @param last begins the collective call after which all PEs have what they want, and is told whether all that this
     *        PE has got fits its checksums. If null, the pull is over when this PE has what it wants, and
     *        the channel goes on to answer the others until all have, so that the settlement is the only
     *        collective call of the pull: what is found damaged until then, {@code memory} knows afterwards
     */
    public static Task<Boolean> pull(Channel channel, ReadPlanner planner, CheckedMemory memory, ReadTarget target,
            SegmentAllocator trailers, @Nullable Function<Boolean, Request> last) {
        SparseAllToAll.Round round = channel.sparse().begin();
        Transfer transfer = new Transfer(channel, new Payload.Wanted(memory, target, trailers), round);
        transfer.answer = transfer::send;
        transfer.endsInSettlement = last == null;
        transfer.asksForMore = () -> {
            target.decode();
            if (planner.hasNext()) {
                transfer.ask(next(planner, target), round);
                return true;
            }
            if (last == null) {
                channel.answerUntilSettled(transfer);
            } else {
                round.addedAll(() -> last.apply(transfer.result()));
            }
            return false;
        };
        // Also a PE that wants nothing begins to serve.
        transfer.ask(next(planner, target), round);
        return transfer;
    }

    private static PieceTable next(ReadPlanner planner, ReadTarget target) {
        PieceTable batch = planner.next();
        target.expect(planner.decodings());
        return batch;
    }

    /**
     * Begins to copy replicas to their new holders.
     *
     * @param source this PE's replicas
     * @param target the same memory, with room for what comes
     * @param inputs where those go that something is computed from, by their slots
     * @return comes to the bytes of blocks that this PE has got, without checksums
     */
    public static Task<Long> replenish(Channel channel, ReplenishPlan plan, CheckedMemory source,
            ReplicaMemory target, PieceTable.PieceMemory inputs) {
        Payload.Replicas payload = new Payload.Replicas(source, target, inputs);
        Transfer transfer = new Transfer(channel, payload, null);
        transfer.receive(plan.incoming());
        transfer.send(plan.outgoing());
        transfer.copyOwn(plan.incoming());
        return transfer.then(_ -> plan.incoming().bytes(piece -> payload.into(plan.incoming(), piece)));
    }

    /** Begins to send each group that is another PE's. */
    private void send(PieceTable pieces) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != channel.rank()) {
                channel.send(pieces.peer(group), payload.toSend(pieces, group));
            }
        }
    }

    /** Begins to receive each group that another PE sends. */
    private void receive(PieceTable pieces) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != channel.rank()) {
                channel.receive(pieces.peer(group), payload.toReceive(pieces, group));
            }
        }
    }

    /** Copies the group that stays on this PE. */
    private void copyOwn(PieceTable pieces) {
        int own = pieces.groupOf(channel.rank());
        if (own >= 0) {
            payload.copy(pieces, own);
        }
    }

    private void ask(PieceTable pieces, SparseAllToAll.Round toTell) {
        receive(pieces);
        announce(pieces, toTell);
    }

    /** Begins to tell each PE its group, and copies the one that is this PE's; what was announced before is read. */
    private void announce(PieceTable pieces, SparseAllToAll.Round toTell) {
        PooledMemory memory = channel.openScratch();
        announced = memory;
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != channel.rank()) {
                MemorySegment message = memory.allocate(pieces.wireBytes(group), Long.BYTES);
                pieces.encode(group, message);
                toTell.add(new SparseAllToAll.Message(pieces.peer(group), message));
            }
        }
        toTell.send();
        // Now that the others have been told what they wait for.
        copyOwn(pieces);
    }

    /** Whether all that this PE has announced has been read. */
    private boolean isRead() {
        PooledMemory told = announced;
        if (round != null && told != null && round.hasDelivered()) {
            announced = null;
            channel.release(told);
        }
        return announced == null;
    }

    @Override
    public boolean progress() {
        boolean moved = serve();
        while (!hasAskedForAll && channel.hasReceived() && isRead()) {
            if (asksForMore.getAsBoolean()) {
                moved = serve();
            } else {
                hasAskedForAll = true;
            }
        }
        return hasAskedForAll && (endsInSettlement
                || (moved && isRead() && (round == null || round.isDone())));
    }

    /**
     * Answers what others have announced, and does now what others want of this PE; says whether all that has begun to
     * move has moved.
     */
    boolean serve() {
        if (round != null) {
            for (SparseAllToAll.Message next = round.poll(); next != null; next = round.poll()) {
                answer.accept(PieceTable.decode(next.peer(), next.bytes()));
            }
        }
        return channel.progress();
    }

    /**
     * All PEs have what they want: what was sent has been received. The wish of another PE may still be arriving when it
     * has no bytes, since that PE waits for no answer: into memory that the next round uses.
     */
    void finish() {
        while (!channel.progress() || isReceivingAnnouncement()) {
            Thread.onSpinWait();
        }
    }

    private boolean isReceivingAnnouncement() {
        if (round == null || !round.isReceiving()) {
            return false;
        }
        // Not serve(), which also looks for further ones, and would throw because of a failure that comes now.
        SparseAllToAll.Message last = round.poll();
        if (last != null) {
            answer.accept(PieceTable.decode(last.peer(), last.bytes()));
        }
        return true;
    }

    @Override
    public Boolean result() {
        return payload.allSound();
    }
}
