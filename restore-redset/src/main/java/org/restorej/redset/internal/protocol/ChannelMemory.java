package org.restorej.redset.internal.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.RankMap;
import org.restorej.internal.memory.MappedMemory;
import org.restorej.internal.memory.NativeMemory;

/**
 * The memory of a channel's messages. After a failure, MPI may still use the memory of cancelled requests: it is kept
 * until the survivors have shrunk ({@link RetiredMemory}). Not thread-safe.
 */
final class ChannelMemory implements AutoCloseable {
    /** The most that a piece loop needs. */
    private static final long MAX_KEPT_BYTES = 8 << 20;

    private final RankMap ranks;
    private final BooleanSupplier mayBeInUse;
    private final List<Arena> retired = new ArrayList<>();
    private @Nullable Arena arena;
    private MemorySegment own = MemorySegment.NULL;

    /**
     * Starts without memory, and frees what former channels have kept, if their ranks have shrunk to these.
     *
     * @param ranks of the channel
     * @param mayBeInUse whether MPI may still use memory of requests
     */
    ChannelMemory(RankMap ranks, BooleanSupplier mayBeInUse) {
        this.ranks = ranks;
        this.mayBeInUse = mayBeInUse;
        RetiredMemory.free(ranks);
    }

    /**
     * The channel's own memory, the same at every call, since allocation takes longer than the work on it. Its content
     * is undefined. Used in one step at a time, and by no message after the step. Memory of more than 8 MiB, for long
     * messages, is freed by the next call that needs less.
     */
    MemorySegment ofBytes(long bytes) {
        if (own.byteSize() > Math.max(bytes, MAX_KEPT_BYTES)) {
            retire();
        }
        if (own.byteSize() < bytes) {
            retire();
            Arena larger = NativeMemory.openShared();
            arena = larger;
            own = MappedMemory.allocate(larger, bytes);
            MappedMemory.useHugePages(own);
        }
        return own.asSlice(0, bytes);
    }

    /** Frees the memory: at once, or, after a failure, when the survivors have shrunk. */
    void retire() {
        if (arena != null && mayBeInUse.getAsBoolean()) {
            retired.add(arena);
        } else if (arena != null) {
            arena.close();
        }
        arena = null;
        own = MemorySegment.NULL;
    }

    /** Keeps what MPI may still use until another channel is created. */
    @Override
    public void close() {
        if (!retired.isEmpty()) {
            RetiredMemory.add(ranks, retired);
        }
        retired.clear();
    }
}
