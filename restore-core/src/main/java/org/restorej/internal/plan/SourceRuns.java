package org.restorej.internal.plan;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.internal.storage.BlockLayout;

/** The runs of one round of a submission. Slots number the blocks of all runs consecutively. */
public final class SourceRuns {
    public static final SourceRuns NONE = new SourceRuns(List.of());

    /**
     * Consecutive blocks in memory.
     *
     * @param blocks their ids
     * @param layout that contains them
     * @param first index of the first one in the layout
     * @param bytes off-heap memory of exactly the blocks' size
     */
    public record Run(BlockRange blocks, BlockLayout layout, long first, MemorySegment bytes) {}

    private final List<Run> runs;
    private final long[] firstSlots;
    /** For each run, the offset of its first block in its layout. */
    private final long[] firstOffsets;

    /** The runs of a round, in the order of their slots. */
    public SourceRuns(List<Run> runs) {
        this.runs = runs;
        firstSlots = new long[runs.size() + 1];
        firstOffsets = new long[runs.size()];
        for (int run = 0; run < firstOffsets.length; run++) {
            firstSlots[run + 1] = firstSlots[run] + runs.get(run).blocks().count();
            firstOffsets[run] = runs.get(run).layout().offset(runs.get(run).first());
        }
    }

    int count() {
        return runs.size();
    }

    /** Number of blocks of all runs. */
    long blockCount() {
        return firstSlots[runs.size()];
    }

    BlockRange blocks(int run) {
        return runs.get(run).blocks();
    }

    long firstSlot(int run) {
        return firstSlots[run];
    }

    /** The bytes of consecutive blocks of one run. */
    public MemorySegment at(long slot, long count) {
        int index = runOf(slot);
        Run run = runs.get(index);
        long first = run.first() + slot - firstSlots[index];
        long from = run.layout().offset(first);
        return run.bytes().asSlice(from - firstOffsets[index], run.layout().offset(first + count) - from);
    }

    /** The run of a slot; empty runs begin where the next one does, and are skipped. */
    private int runOf(long slot) {
        int found = Arrays.binarySearch(firstSlots, slot);
        int run = found >= 0 ? found : -found - 2;
        while (firstSlots[run + 1] == slot) {
            run++;
        }
        return run;
    }
}
