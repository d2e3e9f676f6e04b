package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
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
 * Executes a plan: moves the bytes of its pieces between PEs. Started by all PEs.
 *
 * <p>
 * If only one side knows a plan, it announces it to the other by the sparse all-to-all, one message for each PE: a
 * submission announces what it sends, a pull what it requests. The other side answers as soon as it has read the
 * announcement, while it waits for others. If both sides know the plan, as in a replenishment, nothing is announced.
 * The result is whether everything that this PE has received matches its checksums; the senders check that when they
 * read it. Not thread-safe.
 */
public final class Transfer implements Task<Boolean> {
    private final Channel channel;
    private final Payload payload;
    /** Null if every PE knows all plans. */
    private final SparseAllToAll.@Nullable Round round;
    /** Starts to move what another PE has announced. */
    private Consumer<PieceTable> answer = _ -> {};
    /** Requests the next batch, if there is one; called when everything requested before has been received. */
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
     * Starts a round of a submission: sends the blocks that this PE submits to their holders, and receives those that
     * the others send in the same round. For n submitted bytes a PE sends {@code K * n} bytes or, coded,
     * {@code (1 + m / k) * n} if whole rows are submitted, in as many messages as there are holders plus long runs. The
     * memory of the blocks may be freed afterwards.
     *
     * @param planner of the submission; plans the round, and records what has arrived
     * @param sources what this PE submits in this round
     * @param memory this PE's replicas, to be filled
     * @param last starts the collective call that ends the round; all PEs know its result afterwards
     */
    public static Task<SubmitPlanner> submit(Channel channel, SubmitPlanner planner, SourceRuns sources,
            BlockMemory memory, Supplier<Request> last) {
        PooledMemory memoryOfRound = channel.openScratch();
        SubmitPlan plan = planner.plan(sources, memoryOfRound);
        PieceTable pieces = plan.pieces();
        List<PieceTable> arrived = new ArrayList<>();
        SparseAllToAll.Round round = channel.sparse().begin();
        Transfer transfer = new Transfer(channel, new Payload.Submitted(plan, memory), round);
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
     * Starts to read blocks by requesting them; a PE that needs none still serves others. For n requested bytes a PE
     * receives n bytes. A long request is split into batches: the next one starts when the previous one has been
     * received, independently of other PEs. If something that was received doesn't match its checksums, everything must
     * be read again without the damaged replicas.
     *
     * @param planner plans what this PE requests
     * @param payload this PE's replicas, and the destination of the blocks
     * @param last starts the collective call after which all PEs have their blocks, given whether everything that this
     *        PE has received matches its checksums. If null, the pull ends when this PE has its blocks, and the
     *        channel continues to answer the others until all have theirs, so that the settlement is the only
     *        collective call of the pull; damage that is found until then is recorded, too
     */
    public static Task<Boolean> pull(Channel channel, ReadPlanner planner, ReadPayload payload,
            @Nullable Function<Boolean, Request> last) {
        SparseAllToAll.Round round = channel.sparse().begin();
        Transfer transfer = new Transfer(channel, payload, round);
        transfer.answer = transfer::send;
        transfer.endsInSettlement = last == null;
        transfer.asksForMore = () -> {
            payload.decode();
            if (planner.hasNext()) {
                transfer.ask(next(planner, payload), round);
                return true;
            }
            if (last == null) {
                channel.answerUntilSettled(transfer);
            } else {
                round.addedAll(() -> last.apply(transfer.result()));
            }
            return false;
        };
        // A PE that needs no blocks starts to serve, too.
        transfer.ask(next(planner, payload), round);
        return transfer;
    }

    private static PieceTable next(ReadPlanner planner, ReadPayload payload) {
        PieceTable batch = planner.next();
        payload.expect(planner.decodings());
        return batch;
    }

    /**
     * Starts to copy replicas to their new holders.
     *
     * @param source this PE's replicas
     * @param target the same memory, with room for what is received
     * @param inputs destinations of sources of a computation, by slots
     * @return its result is the number of bytes of blocks that this PE has received, without checksums
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

    /** Starts to send each group of another PE. */
    private void send(PieceTable pieces) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != channel.rank()) {
                channel.send(pieces.peer(group), payload.toSend(pieces, group));
            }
        }
    }

    /** Starts to receive each group from another PE. */
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

    /** Announces its group to each PE, and copies the group of this PE. Earlier announcements must have been read. */
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
        // Only now, after the other PEs have been told what they wait for.
        copyOwn(pieces);
    }

    /** Whether all announcements of this PE have been read. */
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
     * Answers announcements of other PEs, and makes progress; returns whether everything that has started to move is
     * complete.
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
     * Ends the transfer when all PEs have their blocks, and everything sent has been received. An empty request of
     * another PE may still be arriving, because that PE waits for no answer; it must be received, since the next round
     * reuses the memory.
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
        // Not serve(), which would also look for further announcements, and throw if a failure is noticed.
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
