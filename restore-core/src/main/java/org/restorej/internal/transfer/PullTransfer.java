package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.comm.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.PullPlanner;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.CheckedMemory;

/**
 * Fetches blocks by asking for them; a PE that wants nothing still serves. For n wanted bytes a PE receives n bytes. A
 * long wish is asked for in batches: the next one when the one before has come, whatever the others do. Comes to
 * whether all that this PE has got fits its checksums, as those say who have read it; if not, all is to be fetched
 * again without the damaged replicas. One thread.
 */
public final class PullTransfer implements Task<Boolean> {
    private final Channel channel;
    private final PullPlanner planner;
    private final Payload.Wanted payload;
    private final Announcements announcements;
    /** Ends it on all PEs; null where the settlement of the operation does that. */
    private final @Nullable Function<Boolean, Request> last;
    private boolean fetched;

    /**
     * A pull, which begins.
     *
     * @param planner plans what this PE wants
     * @param memory this PE's replicas
     * @param layout of the wanted blocks in ascending order of their ids
     * @param destination off-heap; filled with the blocks
     * @param trailers gives memory that stays until no message is under way any more
     * @param last begins the collective call after which all PEs have what they want, and is told whether all that this
     *        PE has got fits its checksums. If null, the pull is over when
     *        this PE has what it wants, and {@link Channel#begin} goes on to answer the others until all have, so that
     *        the settlement is the only collective call of the pull: what is found damaged until then, {@code memory}
     *        knows afterwards
     */
    public PullTransfer(Channel channel, PullPlanner planner, CheckedMemory memory, BlockLayout layout,
            MemorySegment destination, SegmentAllocator trailers, @Nullable Function<Boolean, Request> last) {
        this.channel = channel;
        this.planner = planner;
        this.last = last;
        payload = new Payload.Wanted(memory, destination, layout, trailers);
        channel.transfers().beginRound();
        announcements = new Announcements(channel, payload, wanted -> channel.transfers().send(wanted, payload));
        askForNext();
    }

    private void askForNext() {
        PieceTable pieces = planner.next();
        channel.transfers().receive(pieces, payload);
        announcements.announce(pieces);
    }

    @Override
    public boolean progress() {
        serve();
        while (!fetched && channel.transfers().hasReceived() && announcements.areRead()) {
            if (planner.hasNext()) {
                askForNext();
                serve();
            } else {
                fetched = true;
                endFetching();
            }
        }
        return fetched && (last == null || (announcements.areOver() && channel.transfers().progress()));
    }

    private void endFetching() {
        if (last == null) {
            channel.answerUntilSettled(this);
        } else {
            announcements.announcedAll(() -> last.apply(payload.allSound()));
        }
    }

    /** Does now what the others want of this PE. */
    void serve() {
        announcements.progress();
        channel.transfers().progress();
    }

    /** All PEs have what they want: what was sent has been received. */
    void finish() {
        while (!channel.transfers().progress()) {
            Thread.onSpinWait();
        }
    }

    @Override
    public Boolean result() {
        return payload.allSound();
    }
}
