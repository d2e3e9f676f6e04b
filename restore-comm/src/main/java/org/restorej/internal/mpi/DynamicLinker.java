package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.restorej.internal.foreign.ForeignCall;

/** Queries the system's dynamic linker for what {@link SymbolLookup} doesn't report. */
final class DynamicLinker {
    private static final int RTLD_LAZY = 1;
    private static final long MAX_TEXT_BYTES = 4096;

    private DynamicLinker() {}

    /**
     * The reason why a library can't be loaded: the text of dlerror after another attempt.
     *
     * @param name of a library that could not be loaded
     */
    static String failure(String name) {
        Optional<MemorySegment> open = function("dlopen");
        Optional<MemorySegment> error = function("dlerror");
        if (open.isEmpty() || error.isEmpty()) {
            return name + " can't be loaded";
        }
        try (Arena arena = Arena.ofConfined()) {
            long path = arena.allocateFrom(name).address();
            // Both calls use the same handle: to create one in between, the JVM would call the dynamic linker itself,
            // and clear the reason.
            ForeignCall.call(open.get(), path, RTLD_LAZY);
            long text = ForeignCall.callLong(error.get());
            return text == 0
                    ? name + " can't be loaded"
                    : MemorySegment.ofAddress(text).reinterpret(MAX_TEXT_BYTES).getString(0);
        }
    }

    private static Optional<MemorySegment> function(String name) {
        return Linker.nativeLinker().defaultLookup().find(name);
    }
}
