package org.restorej.redset.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Memory in huge pages, where Linux gives any to who asks for them. Between processes of one node an MPI has the kernel copy
 * straight from one's memory to the other's, and finding the pages is half of the price of that with small ones: 64 MiB in
 * pieces of 256 KiB to 1 MiB took 8 to 16 ms with small pages and 2 to 6 with huge ones, four processes at a time on two
 * cores.
 *
 * @param map {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)}
 * @param unmap {@code int munmap(void *addr, size_t length)}, what it returns left out
 * @param advise {@code int madvise(void *addr, size_t length, int advice)}, what it returns left out
 */
record HugePages(MethodHandle map, MethodHandle unmap, MethodHandle advise) {
    /** Of x86-64, and of ARM with pages of 4 KiB. */
    private static final long PAGE_BYTES = 2 << 20;
    private static final long SMALL_PAGE_ALIGNMENT = 64;
    private static final int READ_AND_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int ADVICE_HUGE_PAGE = 14;
    private static final int NO_FILE = -1;

    private static final Optional<HugePages> LINKED = link();

    /**
     * Memory of zeros, in huge pages where that is possible and worth it; begins at a cache line at least.
     *
     * @param arena frees it
     * @param bytes at least 1
     */
    static MemorySegment allocate(Arena arena, long bytes) {
        return (bytes < PAGE_BYTES ? Optional.<HugePages>empty() : LINKED)
                .flatMap(pages -> pages.tryToAllocate(arena, bytes))
                .orElseGet(() -> arena.allocate(bytes, SMALL_PAGE_ALIGNMENT));
    }

    private Optional<MemorySegment> tryToAllocate(Arena arena, long bytes) {
        // One page more, as the system need not begin at a huge page.
        long mappedBytes = Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES + PAGE_BYTES;
        try {
            MemorySegment start = (MemorySegment) map.invokeExact(MemorySegment.NULL, mappedBytes, READ_AND_WRITE,
                    PRIVATE_ANONYMOUS, NO_FILE, 0L);
            if (start.address() == -1) {
                return Optional.empty();
            }
            MemorySegment mapped = start.reinterpret(mappedBytes, arena, this::unmap);
            MemorySegment aligned = mapped.asSlice(-start.address() & (PAGE_BYTES - 1), mappedBytes - PAGE_BYTES);
            // Where it is refused, the pages are small ones.
            advise.invokeExact(aligned, aligned.byteSize(), ADVICE_HUGE_PAGE);
            return Optional.of(aligned.asSlice(0, bytes));
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

    private static Optional<HugePages> link() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            // Elsewhere the numbers above mean something else.
            return Optional.empty();
        }
        try {
            Linker linker = Linker.nativeLinker();
            SymbolLookup libc = linker.defaultLookup();
            return Optional.of(new HugePages(
                    linker.downcallHandle(libc.findOrThrow("mmap"),
                            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG)),
                    linker.downcallHandle(libc.findOrThrow("munmap"),
                            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG)),
                    linker.downcallHandle(libc.findOrThrow("madvise"),
                            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT))));
        } catch (NoSuchElementException | UnsupportedOperationException | IllegalCallerException notAllowed) {
            return Optional.empty();
        }
    }

    /** These functions throw nothing: what arrives here is an error of the JVM or of how they are called. */
    private static RuntimeException unexpected(String function, Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(function + " could not be called", failure);
    }
}
