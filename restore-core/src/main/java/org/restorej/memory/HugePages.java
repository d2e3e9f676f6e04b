package org.restorej.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.CountedArena;

/**
 * Memory on transparent huge pages, which most distributions of Linux give only to who asks for them. Between processes
 * of one node an MPI has the kernel copy from one's memory to the other's, and finding the pages is a quarter of the
 * price of that with small ones. Also for what an application submits and where it pulls to. Any thread.
 *
 * <p>
 * Elsewhere, and where the library may not call native code ({@code --enable-native-access}), pages are small ones.
 */
public final class HugePages {
    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private static final long CACHE_LINE_BYTES = 64;

    /** Shorter memory is not worth aligning. */
    private static final long LEAST_BYTES = 4L << 20;

    /** Of x86-64, and of AArch64 with small pages of 4 KiB. */
    private static final long PAGE_BYTES = 2L << 20;

    private static final int READ_AND_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int NO_FILE = -1;
    private static final int ADVICE_HUGE_PAGE = 14;

    private static final @Nullable HugePages LINKED = link();

    private final MethodHandle map;
    private final MethodHandle unmap;
    private final MethodHandle advise;

    private HugePages(SymbolLookup functions, Linker linker) {
        map = linker.downcallHandle(functions.findOrThrow("mmap"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        unmap = linker.downcallHandle(functions.findOrThrow("munmap"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        advise = linker.downcallHandle(functions.findOrThrow("madvise"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    }

    private static @Nullable HugePages link() {
        if (!areForWhoAsks() || !HugePages.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        try {
            Linker linker = Linker.nativeLinker();
            return new HugePages(linker.defaultLookup(), linker);
        } catch (NoSuchElementException | UnsupportedOperationException notHere) {
            return null;
        }
    }

    /** Whether this is a Linux that gives them to who asks, neither to nobody nor to everybody anyway. */
    private static boolean areForWhoAsks() {
        try {
            return Files.readString(SETTING).contains("[madvise]");
        } catch (IOException noSuchSystem) {
            return false;
        }
    }

    /**
     * Memory of zeros, on huge pages where they are to be had and it is long enough; begins on a cache line at least.
     * Takes up room when it is first written.
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it is not to be had
     * @throws IllegalStateException when the arena is closed
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        HugePages pages = LINKED;
        boolean worthIt = bytes >= LEAST_BYTES && arena.scope().isAlive();
        MemorySegment memory = pages == null || !worthIt ? null : pages.tryToAllocate(arena, bytes);
        if (memory == null) {
            return arena.allocate(bytes, CACHE_LINE_BYTES);
        }
        if (arena instanceof CountedArena counted) {
            counted.count(bytes);
        }
        return memory;
    }

    private @Nullable MemorySegment tryToAllocate(Arena arena, long bytes) {
        // One page more, as the system need not begin at a huge page; it takes up no room.
        long mappedBytes = bytes + PAGE_BYTES;
        try {
            MemorySegment start = (MemorySegment) map.invokeExact(MemorySegment.NULL, mappedBytes, READ_AND_WRITE,
                    PRIVATE_ANONYMOUS, NO_FILE, 0L);
            if (start.address() == -1) {
                return null;
            }
            MemorySegment mapped = start.reinterpret(mappedBytes, arena, this::unmap);
            MemorySegment aligned = mapped.asSlice(-start.address() & (PAGE_BYTES - 1), bytes);
            // Where it is refused, the pages are small ones.
            advise.invokeExact(aligned, bytes, ADVICE_HUGE_PAGE);
            return aligned;
        } catch (Throwable failure) {
            throw unexpected("mmap", failure);
        }
    }

    private void unmap(MemorySegment mapped) {
        try {
            unmap.invokeExact(mapped, mapped.byteSize());
        } catch (Throwable failure) {
            throw unexpected("munmap", failure);
        }
    }

    /** These functions throw nothing: what arrives here is an error of the JVM, or the arena is closed. */
    private static RuntimeException unexpected(String function, Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException(function + " could not be called", failure);
    }
}
