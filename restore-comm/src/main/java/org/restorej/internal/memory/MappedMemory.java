package org.restorej.internal.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Allocates large memory by {@code mmap}, on Linux, if the library may call native code
 * ({@code --enable-native-access}). Small memory, and all memory elsewhere, comes from the arena. Unlike an arena's
 * memory it is not cleared explicitly, so its pages are touched only at first use. Thread-safe.
 */
public final class MappedMemory {
    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private static final long CACHE_LINE_BYTES = 64;

    /** Minimum size for a mapping. Equals the size of a slab of scratch memory, most of which stays unused. */
    private static final long MIN_BYTES = 256L << 10;

    /** Minimum size for alignment to huge pages. */
    private static final long MIN_HUGE_BYTES = 4L << 20;

    /** Huge page size of x86-64, and of AArch64 with base pages of 4 KiB. */
    private static final long HUGE_PAGE_BYTES = 2L << 20;

    private static final int READ_AND_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int NO_FILE = -1;
    private static final int ADVICE_HUGE_PAGE = 14;

    private static final @Nullable MappedMemory LINKED = link();
    private static final boolean HUGE_FOR_WHO_ASKS = areHugeForWhoAsks();

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

    /** Whether the setting is {@code madvise}: only memory that requests them gets huge pages. */
    private static boolean areHugeForWhoAsks() {
        try {
            return Files.readString(SETTING).contains("[madvise]");
        } catch (IOException noSuchSystem) {
            return false;
        }
    }

    /**
     * Allocates zeroed memory on pages of the usual size, aligned to at least a cache line.
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it can't be allocated
     * @throws IllegalStateException when the arena is closed
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        return allocate(arena, bytes, MIN_BYTES, false);
    }

    /** Allocates memory on transparent huge pages if the system grants them on request; see {@link #allocate}. */
    public static MemorySegment allocateHuge(Arena arena, long bytes) {
        return allocate(arena, bytes, MIN_HUGE_BYTES, HUGE_FOR_WHO_ASKS);
    }

    private static MemorySegment allocate(Arena arena, long bytes, long minBytes, boolean huge) {
        MappedMemory mapping = LINKED;
        boolean worthIt = bytes >= minBytes && arena.scope().isAlive();
        MemorySegment memory = mapping == null || !worthIt ? null : mapping.tryToMap(arena, bytes, huge);
        if (memory == null) {
            return arena.allocate(bytes, CACHE_LINE_BYTES);
        }
        if (arena instanceof CountedArena counted) {
            counted.count(bytes);
        }
        return memory;
    }

    private @Nullable MemorySegment tryToMap(Arena arena, long bytes, boolean huge) {
        // One page more for alignment, which takes no physical memory.
        long mappedBytes = huge ? bytes + HUGE_PAGE_BYTES : bytes;
        long start = ForeignCall.callLong(map, 0, mappedBytes, READ_AND_WRITE, PRIVATE_ANONYMOUS, NO_FILE, 0, 0, 0);
        if (start == -1) {
            return null;
        }
        MemorySegment mapped = owned(MemorySegment.ofAddress(start), mappedBytes, arena);
        if (!huge) {
            return mapped;
        }
        MemorySegment aligned = mapped.asSlice(-start & (HUGE_PAGE_BYTES - 1), bytes);
        // If it is rejected, the pages are small.
        ForeignCall.call(advise, aligned.address(), bytes, ADVICE_HUGE_PAGE);
        return aligned;
    }

    private MemorySegment owned(MemorySegment start, long mappedBytes, Arena arena) {
        try {
            return start.reinterpret(mappedBytes, arena, this::unmap);
        } catch (RuntimeException refused) {
            // The arena belongs to another thread, or was just closed.
            unmap(start.reinterpret(mappedBytes));
            throw refused;
        }
    }

    private void unmap(MemorySegment mapped) {
        ForeignCall.call(unmap, mapped.address(), mapped.byteSize());
    }
}
