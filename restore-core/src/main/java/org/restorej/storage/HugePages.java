package org.restorej.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
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
        // On another system the numbers above mean something else.
        if (!System.getProperty("os.name", "").equals("Linux")
                || !HugePages.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find("madvise")
                .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT)))
                .orElse(null);
    }

    /**
     * Memory of zeros, on huge pages where they are to be had and it is long enough; begins on a cache line at least.
     *
     * @param arena frees it
     * @param bytes its length
     * @throws OutOfMemoryError when it is not to be had, or more than {@code -XX:MaxDirectMemorySize} allows
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
        } catch (Throwable impossible) {
            throw new AssertionError("madvise", impossible);
        }
    }
}
