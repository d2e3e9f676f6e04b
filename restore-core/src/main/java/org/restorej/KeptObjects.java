package org.restorej;

import java.util.function.LongFunction;
import org.restorej.block.BlockRanges;

/**
 * Objects that a {@link CheckpointLoop} keeps.
 *
 * @param objects what the application works on
 * @param initial makes an object as it is before the first iteration
 */
record KeptObjects<T>(LocalObjects<T> objects, LongFunction<T> initial) implements ConstantLoopData {
    @Override
    public ReStore store() {
        return objects.store();
    }

    @Override
    public BlockRanges blocks() {
        return objects.ids();
    }

    @Override
    public void initialize(BlockRanges mine) {
        objects.reset(mine, initial);
    }

    @Override
    public Submission submission() {
        return objects.submission();
    }

    @Override
    public void replaceAll(PulledBlocks blocks) {
        objects.replaceAll(blocks);
    }

    @Override
    public void accept(PulledBlocks gained, BlockRanges mine) {
        objects.accept(gained, mine);
    }
}
