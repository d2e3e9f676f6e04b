package org.restorej.internal.mpi.foreign;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that MPI writes while something is pending, such as the handle of a request; used again and again, by any
 * thread. What was given up keeps its slot, since MPI may still write to it.
 */
final class RequestSlots {
    private static final int SLOTS_AT_ONCE = 64;

    private final Arena arena = Arena.ofAuto();
    private final LongArrayList free = new LongArrayList();
    private final int slotBytes;
    private int slots;

    /** Slots of a length, a multiple of 8. */
    RequestSlots(int slotBytes) {
        this.slotBytes = slotBytes;
    }

    /** The address of a slot. */
    long take() {
        if (free.isEmpty()) {
            // For all of them, so that no slot is given back in vain where the heap is full.
            free.ensureCapacity(slots + SLOTS_AT_ONCE);
            MemorySegment more = arena.allocate((long) SLOTS_AT_ONCE * slotBytes, Long.BYTES);
            slots += SLOTS_AT_ONCE;
            for (int i = SLOTS_AT_ONCE - 1; i >= 0; i--) {
                free.add(more.address() + (long) i * slotBytes);
            }
        }
        return free.popLong();
    }

    /** Gives it back, when nobody needs it any more. */
    void put(long slot) {
        free.push(slot);
    }
}
