package org.restorej.internal.mpi.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;

/** Functions of a library, each named once: where a subclass declares its field. */
abstract class FunctionTable {
    private final SymbolLookup library;
    private final List<String> missing = new ArrayList<>();

    FunctionTable(SymbolLookup library) {
        this.library = library;
    }

    final MemorySegment find(String name) {
        return library.find(name).orElseGet(() -> {
            missing.add(name);
            return MemorySegment.NULL;
        });
    }

    /** Names of functions that the library doesn't have. */
    final List<String> missing() {
        return missing;
    }
}
