package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory that MPI writes while something is pending: the handle of a request, and the flags of an agreement; used again
 * and again, by any thread. What was given up keeps its slot, since MPI may still write to it.
 */
final class RequestSlots {
    private static final int SLOTS_AT_ONCE = 64;

    /** Of a slot: the handle, flags that are sent, and flags that come. */
    private static final int SENT_AT = Long.BYTES;
    private static final int FLAGS_AT = 2 * Long.BYTES;
    private static final int SLOT_BYTES = 3 * Long.BYTES;

    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final Arena arena = Arena.ofAuto();
    private final LongArrayList free = new LongArrayList();
    private int slots;

    /** The address of a slot, and of its handle. */
    long take() {
        if (free.isEmpty()) {
            // For all of them, so that no slot is given back in vain where the heap is full.
            free.ensureCapacity(slots + SLOTS_AT_ONCE);
            MemorySegment more = arena.allocate((long) SLOTS_AT_ONCE * SLOT_BYTES, Long.BYTES);
            slots += SLOTS_AT_ONCE;
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

    /** Puts flags where an operation takes them from, and says where. */
    static long sentFlags(long slot, int flags) {
        return write(slot + SENT_AT, flags);
    }

    /** Puts flags where an operation takes them from and brings the result, and says where. */
    static long ownFlags(long slot, int flags) {
        return write(flagsAddress(slot), flags);
    }

    /** As 64 bits: of the bytes of an {@code int}, MPI looks at the first four. */
    private static long write(long address, int flags) {
        MEMORY.set(ValueLayout.JAVA_LONG, address, flags);
        return address;
    }

    /** Where an operation brings flags. */
    static long flagsAddress(long slot) {
        return slot + FLAGS_AT;
    }

    /** The flags that an operation has brought. */
    static int flags(long slot) {
        return MEMORY.get(ValueLayout.JAVA_INT, flagsAddress(slot));
    }
}
