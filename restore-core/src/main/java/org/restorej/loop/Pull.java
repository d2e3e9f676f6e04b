package org.restorej.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.block.BlockRanges;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.settlement.Thrower;

/**
 * What one pull brings to this PE, and the memory that it is in. A PE without memory for its own blocks serves the
 * others in a pull all the same, and throws when these are taken over: the others are on their way there, and perhaps in
 * the pull of another store before. One thread.
 */
final class Pull implements Arena {
    private final Arena arena = NativeMemory.openShared();
    private @Nullable PulledBlocks blocks;
    /** What has kept this PE from memory for its blocks. */
    private @Nullable OutOfMemoryError refusal;

    /** Reads blocks. Collective. */
    void read(ReStore store, BlockRanges wanted) {
        try {
            blocks = store.pull(wanted, this);
        } catch (OutOfMemoryError noMemory) {
            boolean afterSettling = Thrower.of(noMemory) != Thrower.THIS_PE;
            if (!noMemory.equals(refusal) || !afterSettling) {
                throw noMemory;
            }
        }
    }

    /** What was read. */
    PulledBlocks blocks() {
        if (blocks != null) {
            return blocks;
        }
        if (refusal != null) {
            throw refusal;
        }
        throw new IllegalStateException("nothing was pulled");
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        try {
            return arena.allocate(byteSize, byteAlignment);
        } catch (OutOfMemoryError noMemory) {
            refusal = noMemory;
            throw noMemory;
        }
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        arena.close();
    }
}
