package org.restorej.redset.internal.coding;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.comm.Request;

/** Messages between the processes of a set, and the memory for them. */
public interface PieceMessages {
    /** For a process that acts for all members of its sets: sends nothing, but has memory. */
    PieceMessages OF_ONE_PROCESS = new PieceMessages() {
        @Override
        public Request send(MemorySegment piece, int process, int tag) {
            throw new IllegalStateException("one process acts for all members");
        }

        @Override
        public Request receive(MemorySegment piece, int process, int tag) {
            throw new IllegalStateException("one process acts for all members");
        }

        @Override
        public void await(Request request) {
            throw new IllegalStateException("one process acts for all members");
        }

        @Override
        public MemorySegment memory(long bytes) {
            return Arena.ofAuto().allocate(bytes, Long.SIZE);
        }

        @Override
        public void retire(Arena memory) {
            memory.close();
        }
    };

    /** Starts sending a piece. */
    Request send(MemorySegment piece, int process, int tag);

    /** Starts receiving a piece. */
    Request receive(MemorySegment piece, int process, int tag);

    /** Waits for the completion of a request. */
    void await(Request request);

    /** Off-heap memory with undefined content, aligned to 64 bytes at least. */
    MemorySegment memory(long bytes);

    /** Frees memory of messages as soon as it is unused. */
    void retire(Arena memory);
}
