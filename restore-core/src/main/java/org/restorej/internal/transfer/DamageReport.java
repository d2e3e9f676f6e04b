package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.placement.DamagedReplicas;

/** Brings every PE to know which replicas some have found damaged: rare, so simple, linear in PEs times damage. */
public final class DamageReport {
    /** In the place of a chunk. */
    private static final long NONE = -1;

    private DamageReport() {}

    /**
     * Tells the others what was found here, and learns what they have found. Called by all PEs; settled.
     *
     * @param known what all PEs know already
     * @param storeRank this PE
     * @param found first positions of the chunks that are damaged here
     */
    public static DamagedReplicas exchange(Channel channel, DamagedReplicas known, int storeRank, LongSet found) {
        return channel.settle("comparing damage",
                () -> Settlement.Outcome.of(gather(channel.communicator(), known, storeRank, found)))
                .result();
    }

    private static DamagedReplicas gather(Communicator communicator, DamagedReplicas known, int storeRank,
            LongSet found) {
        long[] longest = {found.size()};
        communicator.allReduce(longest, Reduction.MAX);
        long recordLongs = longest[0] + 1;
        DamagedReplicas.Builder all = new DamagedReplicas.Builder(known);
        try (Arena arena = NativeMemory.openShared()) {
            MemorySegment mine = arena.allocate(ValueLayout.JAVA_LONG, recordLongs);
            MemorySegment theirs = arena.allocate(ValueLayout.JAVA_LONG, recordLongs * communicator.size());
            long[] chunks = found.toLongArray();
            mine.setAtIndex(ValueLayout.JAVA_LONG, 0, storeRank);
            for (int i = 1; i < recordLongs; i++) {
                mine.setAtIndex(ValueLayout.JAVA_LONG, i, i <= chunks.length ? chunks[i - 1] : NONE);
            }
            communicator.allGather(mine, theirs);
            for (long peer = 0; peer < communicator.size(); peer++) {
                long rank = theirs.getAtIndex(ValueLayout.JAVA_LONG, peer * recordLongs);
                for (long i = 1; i < recordLongs; i++) {
                    long chunk = theirs.getAtIndex(ValueLayout.JAVA_LONG, peer * recordLongs + i);
                    if (chunk != NONE) {
                        all.add(chunk, (int) rank);
                    }
                }
            }
        }
        return all.build();
    }
}
