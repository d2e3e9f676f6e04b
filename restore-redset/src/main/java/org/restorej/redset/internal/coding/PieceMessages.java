package org.restorej.redset.internal.coding;

import java.lang.foreign.MemorySegment;
import org.restorej.comm.Request;

/** How the processes of a set send one another pieces, and the memory for them. */
public interface PieceMessages {
    /** Begins to send a piece. */
    Request send(MemorySegment piece, int process, int tag);

    /** Begins to receive a piece. */
    Request receive(MemorySegment piece, int process, int tag);

    /** Waits until a message has been sent or received. */
    void await(Request request);

    /** Off-heap memory whose content is undefined, on a boundary of 64 bytes at least. */
    MemorySegment memory(long bytes);
}
