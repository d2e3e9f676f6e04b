package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.restorej.comm.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.PushPlanner;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;

/** Moves what both sides know from their plans, so that nobody has to tell the other. Begun by all PEs. */
public final class PlannedTransfers {
    private PlannedTransfers() {}

    /**
     * Begins to bring blocks to those who want them without requests; otherwise as {@link PullTransfer}.
     *
     * @param planner plans what all PEs want
     */
    public static Task<Boolean> push(Channel channel, PushPlanner planner, CheckedMemory memory, BlockLayout layout,
            MemorySegment destination, SegmentAllocator trailers) {
        Payload.Wanted payload = new Payload.Wanted(memory, destination, layout, trailers);
        Transfers transfers = channel.transfers();
        transfers.beginRound();
        PieceTable incoming = planner.incoming();
        transfers.receive(incoming, payload);
        for (int peer = 0; peer < planner.peerCount(); peer++) {
            if (peer != channel.rank()) {
                // Under way while the next one is planned.
                transfers.send(planner.outgoing(peer), payload);
            }
        }
        payload.copyOwn(incoming, channel.rank());
        return Task.inOneStep(transfers::progress, payload::allSound);
    }

    /**
     * Begins to copy replicas to their new holders.
     *
     * @param source this PE's replicas
     * @param target the same memory, with room for what comes
     * @return comes to the bytes of blocks that this PE has got, without checksums
     */
    public static Task<Long> replenish(Channel channel, ReplenishPlan plan, CheckedMemory source,
            ReplicaMemory target) {
        Payload payload = new Payload.Replicas(source, target);
        Transfers transfers = channel.transfers();
        transfers.beginRound();
        transfers.receive(plan.incoming(), payload);
        transfers.send(plan.outgoing(), payload);
        return Task.inOneStep(transfers::progress, () -> plan.incoming().bytes(target));
    }
}
