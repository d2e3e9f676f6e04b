package org.restorej.redset.internal.coding;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.comm.Request;

/** How the processes of a set send one another pieces, and the memory for them. */
public interface PieceMessages {
    /** Of a process that acts for all members of its sets: memory alone, since it sends nothing. */
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

    /** Begins to send a piece. */
    Request send(MemorySegment piece, int process, int tag);

    /** Begins to receive a piece. */
    Request receive(MemorySegment piece, int process, int tag);

    /** Waits until a message has been sent or received. */
    void await(Request request);

    /** Off-heap memory whose content is undefined, on a boundary of 64 bytes at least. */
    MemorySegment memory(long bytes);

    /** Frees memory of messages as soon as nothing uses it any more. */
    void retire(Arena memory);
}
