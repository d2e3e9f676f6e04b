package org.restorej.redset.internal.coding;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.comm.Request;

/**
 * Messages between the processes of a set, and the memory for them. A process that acts for all members of its sets
 * sends none.
 */
@FunctionalInterface
public interface PieceMessages {
    /** For a process that acts for all members of its sets. */
    PieceMessages OF_ONE_PROCESS = bytes -> Arena.ofAuto().allocate(bytes, Long.SIZE);

    /** Off-heap memory with undefined content, aligned to 64 bytes at least. Valid until the next call. */
    MemorySegment memory(long bytes);

    /** Starts sending a piece. */
    default Request send(MemorySegment piece, int process, int tag) {
        throw ofOneProcess();
    }

    /** Starts receiving a piece. */
    default Request receive(MemorySegment piece, int process, int tag) {
        throw ofOneProcess();
    }

    /** Waits for the completion of a request. */
    default void await(Request request) {
        throw ofOneProcess();
    }

    private static IllegalStateException ofOneProcess() {
        return new IllegalStateException("one process acts for all members");
    }
}
