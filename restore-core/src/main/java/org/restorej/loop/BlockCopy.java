package org.restorej.loop;

import java.lang.foreign.Arena;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;

/**
 * A copy of blocks.
 *
 * @param blocks in the memory of the copy
 * @param memory that they are in
 */
record BlockCopy(Submission blocks, Arena memory) {
    /** A copy of what is submitted to a store. */
    static BlockCopy of(Submission blocks, ReStore store) {
        Arena arena = NativeMemory.openShared();
        try {
            return new BlockCopy(blocks.copy(arena, store.blockSizeBytes()), arena);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /** Frees it, after a failure at the next recovery of the store. */
    void free(ReStore store) {
        StoreAccess.release(store, memory);
    }
}
