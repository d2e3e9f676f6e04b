package org.restorej;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.access.CopiedData;
import org.restorej.loop.LoopData;

/** Blocks of zeros of 8 bytes, which count as copied already, and may have mistakes. */
final class CopiedZeros extends LoopData implements CopiedData {
    /** Whether a block is left out, which only its holders see. */
    boolean leavesOut;
    /** Whether freeing what was submitted throws, once. */
    boolean throwing;

    CopiedZeros(ReStore store) {
        super(store);
    }

    @Override
    protected void initialize(BlockRanges mine) {}

    @Override
    protected Submission submission() {
        Submission submission = new Submission();
        for (long place = leavesOut ? 1 : 0; place < ids().blockCount(); place++) {
            submission.add(BlockRange.of(ids().blockAt(place), 1), MemorySegment.ofArray(new byte[8]));
        }
        return submission;
    }

    @Override
    public void submitted() {
        if (throwing) {
            throwing = false;
            throw new OutOfMemoryError("while a copy is freed");
        }
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {}
}
