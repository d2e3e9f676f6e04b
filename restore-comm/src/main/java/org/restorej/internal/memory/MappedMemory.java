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
 * Long memory by {@code mmap}, where the system is Linux and the library may call native code
 * ({@code --enable-native-access}); short memory, and all memory elsewhere, comes from the arena as usual. Unlike
 * an arena's, it isn't touched before it is used: its pages cost their price once. Any thread.
 */
public final class MappedMemory {
    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private static final long CACHE_LINE_BYTES = 64;

    /**
     * Shorter memory is not worth a mapping of its own. As long as a slab of scratch memory, most of which stays
     * unused.
     */
    private static final long MIN_BYTES = 256L << 10;

    /** Shorter memory is not worth aligning. */
    private static final long MIN_HUGE_BYTES = 4L << 20;

    /** Of x86-64, and of AArch64 with small pages of 4 KiB. */
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

    /** Whether the setting is {@code madvise}: only memory that asks gets huge pages. */
    private static boolean areHugeForWhoAsks() {
        try {
            return Files.readString(SETTING).contains("[madvise]");
        } catch (IOException noSuchSystem) {
            return false;
        }
    }

    /**
     * Memory of zeros on pages of the usual size; begins on a cache line at least.
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it is not to be had
     * @throws IllegalStateException when the arena is closed
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        return allocate(arena, bytes, MIN_BYTES, false);
    }

    /** As {@link #allocate}, on transparent huge pages where the system gives them to who asks. */
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
        // One page more, as the system need not begin at a huge page; it takes up no room.
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
        // Where it is refused, the pages are small ones.
        ForeignCall.call(advise, aligned.address(), bytes, ADVICE_HUGE_PAGE);
        return aligned;
    }

    private MemorySegment owned(MemorySegment start, long mappedBytes, Arena arena) {
        try {
            return start.reinterpret(mappedBytes, arena, this::unmap);
        } catch (RuntimeException refused) {
            // The arena is another thread's, or has just been closed.
            unmap(start.reinterpret(mappedBytes));
            throw refused;
        }
    }

    private void unmap(MemorySegment mapped) {
        ForeignCall.call(unmap, mapped.address(), mapped.byteSize());
    }
}
