package org.restorej.internal.mpi.foreign;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory for the handles of pending requests, which MPI writes; used again and again. */
final class RequestSlots {
    private static final int SLOT_BYTES = Long.BYTES;
    private static final int SLOTS_AT_ONCE = 64;

    private final Arena arena = Arena.ofAuto();
    private final LongArrayList free = new LongArrayList();

    /** The address of 8 bytes. */
    long take() {
        if (free.isEmpty()) {
            MemorySegment more = arena.allocate((long) SLOTS_AT_ONCE * SLOT_BYTES, SLOT_BYTES);
            for (int i = SLOTS_AT_ONCE - 1; i >= 0; i--) {
                free.add(more.address() + (long) i * SLOT_BYTES);
            }
        }
        return free.popLong();
    }

    /** Gives it back, when nobody needs it any more. */
    void put(long slot) {
        free.push(slot);
    }
}
