package org.restorej.redset.internal.protocol;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of operations that a failed process has ended, whose channel is closed before the survivors have shrunk: an
 * MPI that has ended a cancelled request early may still be at work on it (seen in Open MPI 5.0.7). It is freed when
 * this process has made another communicator for a channel together with others, for which the survivors must have
 * shrunk, and which MPI has used since. Thread-safe.
 */
final class AbandonedMemory {
    private static final List<Arena> KEPT = new ArrayList<>();

    private AbandonedMemory() {}

    static synchronized void keep(List<Arena> memory) {
        KEPT.addAll(memory);
    }

    static synchronized void free() {
        KEPT.forEach(Arena::close);
        KEPT.clear();
    }
}
