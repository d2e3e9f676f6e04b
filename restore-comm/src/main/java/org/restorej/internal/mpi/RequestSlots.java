package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory that MPI writes while an operation is pending: the handle of a request, and the flags of an agreement. Slots
 * are reused, by any thread. An abandoned operation keeps its slot, since MPI may still write to it.
 */
final class RequestSlots {
    private static final int SLOTS_AT_ONCE = 64;

    /** Layout of a slot: the handle, the sent flags, and the received flags. */
    private static final int SENT_AT = Long.BYTES;
    private static final int FLAGS_AT = 2 * Long.BYTES;
    private static final int SLOT_BYTES = 3 * Long.BYTES;

    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final Arena arena = Arena.ofAuto();
    private final LongArrayList free = new LongArrayList();
    private int slots;

    /** Takes a slot, and returns its address, which is that of its handle. */
    long take() {
        if (free.isEmpty()) {
            // Reserve space for all of them, so that returning a slot doesn't fail with a full heap.
            free.ensureCapacity(slots + SLOTS_AT_ONCE);
            MemorySegment more = arena.allocate((long) SLOTS_AT_ONCE * SLOT_BYTES, Long.BYTES);
            slots += SLOTS_AT_ONCE;
            for (int i = SLOTS_AT_ONCE - 1; i >= 0; i--) {
                free.add(more.address() + (long) i * SLOT_BYTES);
            }
        }
        return free.popLong();
    }

    /** Returns a slot that is no longer needed. */
    void put(long slot) {
        free.push(slot);
    }

    /** Writes flags to be sent, and returns their address. */
    static long sentFlags(long slot, int flags) {
        return write(slot + SENT_AT, flags);
    }

    /** Writes flags where the result will be, and returns their address. */
    static long ownFlags(long slot, int flags) {
        return write(flagsAddress(slot), flags);
    }

    /** Writes flags as 64 bits; MPI reads the first four bytes for an {@code int}. */
    private static long write(long address, int flags) {
        MEMORY.set(ValueLayout.JAVA_LONG, address, flags);
        return address;
    }

    /** Address at which an operation stores flags. */
    static long flagsAddress(long slot) {
        return slot + FLAGS_AT;
    }

    /** The flags that an operation has stored. */
    static int flags(long slot) {
        return MEMORY.get(ValueLayout.JAVA_INT, flagsAddress(slot));
    }
}
