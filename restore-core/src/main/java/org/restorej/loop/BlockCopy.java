package org.restorej.loop;

import java.lang.foreign.Arena;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;

/**
 * A copy of the blocks that are submitted to a store.
 *
 * @param blocks a submission that refers to the copy's memory
 * @param memory owner of that memory
 */
record BlockCopy(Submission blocks, Arena memory) {
    /** Copies a submission off the heap. */
    static BlockCopy of(Submission blocks, ReStore store) {
        Arena arena = NativeMemory.openShared();
        try {
            return new BlockCopy(blocks.copy(arena, store.blockSizeBytes()), arena);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /** Frees the memory; after a failure it is freed at the next recovery of the store. */
    void free(ReStore store) {
        StoreAccess.release(store, memory);
    }
}
