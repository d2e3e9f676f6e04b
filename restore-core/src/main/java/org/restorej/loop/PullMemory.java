package org.restorej.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.settlement.Thrower;
import org.restorej.internal.memory.NativeMemory;

/**
 * The memory of what one pull brings. A PE without memory for its own blocks serves the others in a pull all the same,
 * and throws when they go on: this tells such an end of a pull from one that the others know. One thread.
 */
final class PullMemory implements Arena {
    private final Arena arena = NativeMemory.openShared();
    private @Nullable OutOfMemoryError refusal;

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        try {
            return arena.allocate(byteSize, byteAlignment);
        } catch (OutOfMemoryError noMemory) {
            refusal = noMemory;
            throw noMemory;
        }
    }

    /** Whether a pull has thrown for want of this memory, and only when it was settled. */
    boolean wasMissing(Throwable thrown) {
        return thrown.equals(refusal) && Thrower.of(thrown) != Thrower.THIS_PE;
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
