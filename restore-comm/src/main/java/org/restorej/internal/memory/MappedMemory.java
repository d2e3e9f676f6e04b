package org.restorej.internal.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Allocates large memory by {@code mmap}, on Linux, if the library may call native code
 * ({@code --enable-native-access}). Small memory, and all memory elsewhere, comes from the arena. Unlike an arena's
 * memory it is not cleared explicitly, so its pages are touched only at first use. Thread-safe.
 */
public final class MappedMemory {
    private static final long CACHE_LINE_BYTES = 64;

    /** Minimum size for a mapping. Equals the size of a slab of scratch memory, most of which stays unused. */
    private static final long MIN_BYTES = 256L << 10;

    private static final int READ_AND_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int NO_FILE = -1;
    private static final int USE_HUGE_PAGES = 14;

    private static final @Nullable MappedMemory LINKED = link();

    private final MemorySegment map;
    private final MemorySegment unmap;
    private final MemorySegment advise;

    private MappedMemory(SymbolLookup functions) {
        map = functions.findOrThrow("mmap");
        unmap = functions.findOrThrow("munmap");
        advise = functions.findOrThrow("madvise");
    }

    private static @Nullable MappedMemory link() {
        if (!System.getProperty("os.name").equals("Linux") || !MappedMemory.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        try {
            return new MappedMemory(Linker.nativeLinker().defaultLookup());
        } catch (NoSuchElementException | UnsupportedOperationException notHere) {
            return null;
        }
    }

    /**
     * Allocates zeroed memory, aligned to at least a cache line.
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it can't be allocated
     * @throws IllegalStateException when the arena is closed
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        MappedMemory mapping = LINKED;
        boolean worthIt = bytes >= MIN_BYTES && arena.scope().isAlive();
        MemorySegment memory = mapping == null || !worthIt ? null : mapping.tryToMap(arena, bytes);
        if (memory == null) {
            return arena.allocate(bytes, CACHE_LINE_BYTES);
        }
        if (arena instanceof CountedArena counted) {
            counted.count(bytes);
        }
        return memory;
    }

    /**
     * Asks the kernel to use huge pages, before the first use of memory. A message from there to a process of this host
     * is faster, because the kernel looks up each page of the sender. No effect where the kernel has none.
     *
     * @param allocated by {@link #allocate}
     */
    public static void useHugePages(MemorySegment allocated) {
        MappedMemory mapping = LINKED;
        if (mapping != null) {
            ForeignCall.call(mapping.advise, allocated.address(), allocated.byteSize(), USE_HUGE_PAGES);
        }
    }

    private @Nullable MemorySegment tryToMap(Arena arena, long bytes) {
        long start = ForeignCall.callLong(map, 0, bytes, READ_AND_WRITE, PRIVATE_ANONYMOUS, NO_FILE, 0, 0, 0);
        return start == -1 ? null : owned(MemorySegment.ofAddress(start), bytes, arena);
    }

    private MemorySegment owned(MemorySegment start, long bytes, Arena arena) {
        try {
            return start.reinterpret(bytes, arena, this::unmap);
        } catch (RuntimeException refused) {
            // The arena belongs to another thread, or was just closed.
            unmap(start.reinterpret(bytes));
            throw refused;
        }
    }

    private void unmap(MemorySegment mapped) {
        ForeignCall.call(unmap, mapped.address(), mapped.byteSize());
    }
}
