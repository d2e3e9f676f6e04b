package org.restorej.redset.internal.protocol;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of operations that a failed process has ended. Their channel is closed before the survivors have shrunk,
 * and an MPI may still use the memory of a request that it has cancelled (seen in Open MPI 5.0.7). The memory is
 * freed when this process has made another channel: then the survivors have shrunk, and MPI has been used since.
 * Thread-safe.
 */
final class RetiredMemory {
    private static final List<Arena> KEPT = new ArrayList<>();

    private RetiredMemory() {}

    static synchronized void add(List<Arena> memory) {
        KEPT.addAll(memory);
    }

    static synchronized void free() {
        KEPT.forEach(Arena::close);
        KEPT.clear();
    }
}
