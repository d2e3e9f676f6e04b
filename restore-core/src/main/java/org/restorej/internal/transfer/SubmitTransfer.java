package org.restorej.internal.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.restorej.comm.Request;
import org.restorej.comm.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;

/**
 * A round of a submission: sends what this PE submits to its holders and receives what the others send in the same
 * round. For n submitted bytes a PE sends {@code K * n} bytes, and as many messages as there are holders plus long
 * runs. The memory of the blocks is free to use afterwards. One thread.
 */
public final class SubmitTransfer implements Task<SubmitPlanner> {
    private final Channel channel;
    private final SubmitPlanner planner;
    private final PieceTable pieces;
    private final List<PieceTable> arrived = new ArrayList<>();
    private final PooledMemory checksums;
    private final Announcements announcements;

    /**
     * A round, which begins.
     *
     * @param planner of the submission: plans the round, and notes what has arrived
     * @param sources what this PE submits in this round
     * @param memory this PE's replicas, to be filled
     * @param last begins the collective call that ends the round: of what it comes to, all PEs know afterwards
     */
    public SubmitTransfer(Channel channel, SubmitPlanner planner, SourceRuns sources, BlockMemory memory,
            Supplier<Request> last) {
        this.channel = channel;
        this.planner = planner;
        SubmitPlan plan = planner.plan(sources);
        pieces = plan.pieces();
        checksums = channel.openScratch();
        Payload payload = Payload.Submitted.of(plan, checksums, memory, planner.checksums());
        channel.transfers().beginRound();
        channel.transfers().send(pieces, payload);
        announcements = new Announcements(channel, payload, announced -> {
            channel.transfers().receive(announced, payload);
            arrived.add(announced);
        });
        announcements.announce(pieces);
        announcements.announcedAll(last);
    }

    @Override
    public boolean progress() {
        announcements.progress();
        if (!channel.transfers().progress() || !announcements.areOver()) {
            return false;
        }
        arrived.forEach(group -> planner.noteArrived(group, 0));
        planner.noteArrived(pieces, pieces.groupOf(channel.rank()));
        channel.release(checksums);
        return true;
    }

    @Override
    public SubmitPlanner result() {
        return planner;
    }
}
