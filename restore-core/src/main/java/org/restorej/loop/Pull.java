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
 * The result of one pull on this PE, and the owner of its memory. A PE that can't allocate memory for its own blocks
 * still serves the other PEs in the pull, and throws when the blocks are taken over: the other PEs proceed to that,
 * perhaps after pulls of other stores. Not thread-safe.
 */
final class Pull implements Arena {
    private final Arena arena = NativeMemory.openShared();
    private @Nullable PulledBlocks blocks;
    /** The error if the memory for the blocks can't be allocated. */
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

    /** The blocks that were read. */
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
