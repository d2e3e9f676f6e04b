package org.restorej.internal.transfer;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.SparseAllToAll;
import org.restorej.comm.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;

/** One round of a submission; see {@link TransferEngine#submit}. */
final class SubmitTransfer implements Task<SubmitPlanner> {
    private final TransferEngine engine;
    private final Channel channel;
    private final SubmitPlanner planner;
    private final SourceRuns sources;
    private final BlockMemory memory;
    private final PooledMemory scratch;
    private @Nullable PieceTable pieces;
    private @Nullable AnnouncedTransfer transfer;

    SubmitTransfer(TransferEngine engine, Channel channel, SubmitPlanner planner, SourceRuns sources,
            BlockMemory memory) {
        this.engine = engine;
        this.channel = channel;
        this.planner = planner;
        this.sources = sources;
        this.memory = memory;
        scratch = channel.openScratch();
    }

    @Override
    public boolean progress() {
        boolean whole = false;
        boolean through = false;
        try {
            AnnouncedTransfer underWay = transfer == null ? begun() : transfer;
            transfer = underWay;
            if (underWay.progress()) {
                underWay.result().forEach(arrived -> planner.noteArrived(arrived, 0));
                noteOwn();
                through = true;
            }
            whole = true;
            return through;
        } finally {
            if (!whole) {
                channel.stopSending();
            }
            if (through || !whole) {
                channel.release(scratch::close);
            }
        }
    }

    private AnnouncedTransfer begun() {
        SubmitPlan plan = planner.plan(sources);
        PieceTable planned = plan.pieces();
        pieces = planned;
        Payload payload = Payload.Submitted.of(plan, scratch, memory, planner.checksums());
        channel.transfers().beginRound();
        engine.post(planned, true, payload);
        SparseAllToAll.Round round = channel.sparse().begin();
        round.addedAll();
        return new AnnouncedTransfer(engine, channel, planned, true, round, payload);
    }

    private void noteOwn() {
        PieceTable planned = pieces;
        if (planned != null) {
            planner.noteArrived(planned, planned.groupOf(channel.rank()));
        }
    }

    @Override
    public SubmitPlanner result() {
        return planner;
    }
}
