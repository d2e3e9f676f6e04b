package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.loop.LoopData;

/** Blocks of zeros of 8 bytes, which count as copied already, and may have mistakes. */
final class CopiedZeros extends LoopData {
    private final Consumer<Arena> copying;
    /** Whether a block is left out, which only its holders see. */
    boolean leavesOut;

    /**
     * Creates blocks.
     *
     * @param copying is given the memory for each copy
     */
    CopiedZeros(ReStore store, Consumer<Arena> copying) {
        super(store);
        this.copying = copying;
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
    protected boolean isCopied() {
        return true;
    }

    @Override
    protected Submission copy(Arena memory) {
        copying.accept(memory);
        return submission();
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {}
}
