package org.restorej.storage;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Asks Linux to put long memory on transparent huge pages, which are advised only, not the rule, in most distributions.
 * Where messages are copied from process to process by the kernel it finds the pages of the sender one by one: that is a
 * third of the time of a message otherwise. Any thread.
 *
 * <p>
 * Nothing happens elsewhere, nor where the library may not call native code ({@code --enable-native-access}).
 */
final class HugePages {
    /** From here on memory is worth aligning: two huge pages. */
    static final long LEAST_BYTES = 4L << 20;

    /** Of a huge page, on x86-64 and mostly on AArch64. */
    static final long PAGE_BYTES = 2L << 20;

    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;
    private static final @Nullable MethodHandle MADVISE = madvise();

    private HugePages() {}

    private static @Nullable MethodHandle madvise() {
        if (!HugePages.class.getModule().isNativeAccessEnabled()
                || !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find("madvise")
                .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT)))
                .orElse(null);
    }

    /**
     * Puts fresh memory on huge pages.
     *
     * @param memory all zero, as it is afterwards; of its pages those are meant that lie in it as a whole
     */
    static void advise(MemorySegment memory) {
        long first = -memory.address() & (PAGE_BYTES - 1);
        long bytes = (memory.byteSize() - first) / PAGE_BYTES * PAGE_BYTES;
        if (MADVISE != null && bytes > 0) {
            MemorySegment pages = memory.asSlice(first, bytes);
            // It has been touched already, by the JVM that clears it, so its small pages are given back.
            if (accepts(MADVISE, pages, MADV_HUGEPAGE)) {
                accepts(MADVISE, pages, MADV_DONTNEED);
            }
        }
    }

    private static boolean accepts(MethodHandle madvise, MemorySegment pages, int advice) {
        try {
            return (int) madvise.invokeExact(pages, pages.byteSize(), advice) == 0;
        } catch (Throwable impossible) {
            throw new AssertionError("madvise", impossible);
        }
    }
}
