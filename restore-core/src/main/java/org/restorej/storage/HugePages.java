package org.restorej.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Memory on transparent huge pages, which most distributions of Linux give only to who asks for them. Between processes
 * of one node an MPI has the kernel copy from one's memory to the other's, and finding the pages is a quarter of the
 * price of that with small ones. Any thread.
 *
 * <p>
 * Elsewhere, and where the library may not call native code ({@code --enable-native-access}), pages are small ones.
 */
public final class HugePages {
    private static final Path SETTING = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    /** Shorter memory is not worth aligning. */
    private static final long LEAST_BYTES = 4L << 20;

    /** Of x86-64, and of AArch64 with small pages of 4 KiB. */
    private static final long PAGE_BYTES = 2L << 20;

    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;

    /** {@code int madvise(void *addr, size_t length, int advice)}. */
    private static final @Nullable MethodHandle MADVISE = madvise();

    private HugePages() {}

    private static @Nullable MethodHandle madvise() {
        if (!areForWhoAsks() || !HugePages.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        Linker linker;
        try {
            linker = Linker.nativeLinker();
        } catch (UnsupportedOperationException noLinker) {
            return null;
        }
        return linker.defaultLookup().find("madvise")
                .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT)))
                .orElse(null);
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
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it is not to be had
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        MethodHandle madvise = MADVISE;
        if (madvise == null || bytes < LEAST_BYTES) {
            return arena.allocate(bytes, Slab.ALIGNMENT_BYTES);
        }
        MemorySegment memory = arena.allocate(bytes, PAGE_BYTES);
        MemorySegment pages = memory.asSlice(0, bytes / PAGE_BYTES * PAGE_BYTES);
        if (accepts(madvise, pages, MADV_HUGEPAGE)) {
            // The JVM has touched it already, to clear it: its small pages are given back, and come as huge ones again.
            accepts(madvise, pages, MADV_DONTNEED);
        }
        return memory;
    }

    private static boolean accepts(MethodHandle madvise, MemorySegment pages, int advice) {
        try {
            return (int) madvise.invokeExact(pages, pages.byteSize(), advice) == 0;
        } catch (Error error) {
            throw error;
        } catch (Throwable impossible) {
            throw new IllegalStateException("madvise could not be called", impossible);
        }
    }
}
