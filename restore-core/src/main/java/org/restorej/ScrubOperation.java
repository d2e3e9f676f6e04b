package org.restorej;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.transfer.DamageReport;

/** Checks all replicas of all PEs. */
final class ScrubOperation {
    private final OperationContext context;
    private final Generation generation;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private final long[] checked = new long[2];

    ScrubOperation(OperationContext context, Generation generation) {
        this.context = context;
        this.generation = generation;
    }

    /** Runs it. Collective. Returns all damage that is known then. */
    DamagedReplicas run() {
        int flags = context.channel().settle("scrub", () -> {
            CheckedMemory blocks = context.checkedBlocks(generation.blocks());
            blocks.checkAll(generation.directory(), context.originalRank());
            damagedChunks.addAll(blocks.damagedChunks());
            if (generation.sizes() != null) {
                CheckedMemory sizes = context.checkedSizes(generation.sizes());
                sizes.checkAll(generation.directory(), context.originalRank());
                damagedChunks.addAll(sizes.damagedChunks());
            }
            checked[0] = blocks.checkedChunkCount();
            checked[1] = context.configuration().checksums() ? generation.blockBytes() : 0;
            context.communicator().allReduce(checked, Reduction.SUM);
            return Settlement.flags(true, true, damagedChunks.isEmpty());
        });
        DamagedReplicas known = generation.directory().damaged();
        return (flags & Settlement.SOUND) != 0
                ? known
                : DamageReport.exchange(context.channel(), known, context.originalRank(), damagedChunks);
    }

    /** What it has found. */
    ScrubResult result(DamagedReplicas damaged) {
        return new ScrubResult(checked[0], checked[1], damaged.count());
    }
}
