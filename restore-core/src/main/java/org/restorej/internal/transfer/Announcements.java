package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.comm.SparseAllToAll;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.PooledMemory;

/**
 * Where one side alone knows a plan, it tells the other by the sparse all-to-all, one message for each PE: a submission
 * announces what it sends, a pull what it wants. The other side answers as soon as it has read the message, while it is
 * still waiting for others. One thread.
 */
final class Announcements {
    private final Channel channel;
    private final Payload payload;
    private final Consumer<PieceTable> answer;
    private final SparseAllToAll.Round round;
    private @Nullable PooledMemory messages;

    /**
     * A round of announcements, which begins.
     *
     * @param answer begins to move what another PE has announced
     */
    Announcements(Channel channel, Payload payload, Consumer<PieceTable> answer) {
        this.channel = channel;
        this.payload = payload;
        this.answer = answer;
        round = channel.sparse().begin();
    }

    /** Begins to tell each PE its group, and copies the one that is this PE's; what was announced before is told. */
    void announce(PieceTable pieces) {
        PooledMemory memory = channel.openScratch();
        messages = memory;
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != channel.rank()) {
                MemorySegment message = memory.allocate(pieces.wireBytes(group), Long.BYTES);
                pieces.encode(group, message);
                round.add(new SparseAllToAll.Message(pieces.peer(group), message));
            }
        }
        round.send();
        // Now that the others have been told what they wait for.
        payload.copyOwn(pieces, channel.rank());
    }

    /** This PE announces nothing more; see {@link SparseAllToAll.Round#addedAll(Supplier)}. */
    void announcedAll(Supplier<Request> last) {
        round.addedAll(last);
    }

    /** Answers what others have announced. */
    void progress() {
        for (SparseAllToAll.Message next = round.poll(); next != null; next = round.poll()) {
            answer.accept(PieceTable.decode(next.peer(), next.bytes()));
        }
    }

    /** Whether all that this PE has announced has been read. */
    boolean areRead() {
        PooledMemory told = messages;
        if (told != null && round.hasDelivered()) {
            messages = null;
            channel.release(told);
        }
        return messages == null;
    }

    /** Whether all PEs have announced everything, and all that is for this PE has been answered. */
    boolean areOver() {
        return areRead() && round.isDone();
    }
}
