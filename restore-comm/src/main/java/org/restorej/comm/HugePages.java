package org.restorej.comm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.memory.MappedMemory;

/**
 * Memory on transparent huge pages, which most distributions of Linux give only to who asks for them. Between processes
 * of one node an MPI has the kernel copy from one's memory to the other's, and finding the pages is a quarter of the
 * price of that with small ones. For what an application submits often and where it pulls to often: the first touch
 * may take long, while the system looks for room, so the store doesn't use them itself. Any thread.
 *
 * <p>
 * Elsewhere, and where the library may not call native code ({@code --enable-native-access}), pages are small ones.
 */
public final class HugePages {
    private HugePages() {}

    /**
     * Memory of zeros, on huge pages where they are to be had and it is 4 MiB long or longer; begins on a cache line at
     * least. Takes up room when it is first written.
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it is not to be had
     * @throws IllegalStateException when the arena is closed
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        return MappedMemory.allocateHuge(arena, bytes);
    }
}
