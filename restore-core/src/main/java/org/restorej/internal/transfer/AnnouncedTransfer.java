package org.restorej.internal.transfer;

import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.SparseAllToAll;
import org.restorej.comm.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.PooledMemory;

/**
 * Announces pieces, and answers what others announce, until they have been told, and, of what is sent, all transfers
 * are through and the round is over; of what is wanted, it has come. Comes to what others have announced and sent.
 */
final class AnnouncedTransfer implements Task<List<PieceTable>> {
    private final TransferEngine engine;
    private final Channel channel;
    private final PieceTable own;
    private final boolean sends;
    private final SparseAllToAll.Round round;
    private final Payload payload;
    private final List<PieceTable> arrived = new ArrayList<>();
    private final PooledMemory scratch;
    private boolean announced;

    /**
     * A transfer that has not begun.
     *
     * @param sends whether what is announced is sent by who announces it; otherwise it is wanted by it
     */
    AnnouncedTransfer(TransferEngine engine, Channel channel, PieceTable own, boolean sends,
            SparseAllToAll.Round round, Payload payload) {
        this.engine = engine;
        this.channel = channel;
        this.own = own;
        this.sends = sends;
        this.round = round;
        this.payload = payload;
        scratch = channel.openScratch();
    }

    @Override
    public boolean progress() {
        boolean whole = false;
        boolean through = false;
        try {
            if (!announced) {
                announced = true;
                engine.announce(own, round, scratch);
                // Now that the others have been told what they wait for.
                engine.copyOwn(own, payload);
            }
            for (SparseAllToAll.Message next = round.poll(); next != null; next = round.poll()) {
                PieceTable pieces = engine.answer(next, !sends, payload);
                if (sends) {
                    arrived.add(pieces);
                }
            }
            boolean moved = channel.transfers().progress();
            through = sends
                    ? moved && round.isDone()
                    : channel.transfers().hasReceived() && round.hasDelivered();
            whole = true;
            return through;
        } finally {
            if (!whole) {
                // The messages' memory serves others next, so nothing may be sending from it any more.
                channel.stopSending();
                round.abandon();
            }
            if (through || !whole) {
                channel.release(scratch::close);
            }
        }
    }

    @Override
    public List<PieceTable> result() {
        return arrived;
    }
}
