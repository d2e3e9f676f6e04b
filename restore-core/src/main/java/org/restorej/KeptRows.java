package org.restorej;

import java.util.function.Function;
import org.restorej.block.BlockRanges;

/**
 * Rows of an array that a {@link CheckpointLoop} keeps.
 *
 * @param rows what the application works on
 * @param initial makes rows as they are before the first iteration
 */
record KeptRows<A>(LocalRows<A> rows, Function<BlockRanges, A> initial) implements ConstantLoopData {
    @Override
    public ReStore store() {
        return rows.store();
    }

    @Override
    public BlockRanges blocks() {
        return rows.index().rows();
    }

    @Override
    public void initialize(BlockRanges mine) {
        rows.reset(mine, initial.apply(mine));
    }

    @Override
    public Submission submission() {
        return rows.submission();
    }

    @Override
    public void replaceAll(PulledBlocks blocks) {
        rows.replaceAll(blocks);
    }

    @Override
    public void accept(PulledBlocks gained, BlockRanges mine) {
        rows.insert(gained, mine);
    }
}
