package org.restorej.exchange;

import java.lang.foreign.MemorySegment;

/** Runs of bytes in memory, in the order in which they travel: what one PE sends to another, or receives from it. */
interface ByteRuns {
    /** Number of runs. */
    int count();

    /** Length of a run. */
    long bytes(int run);

    /** Its memory, off-heap. */
    MemorySegment segment(int run);

    /** Length of all runs. */
    default long totalBytes() {
        long bytes = 0;
        for (int run = 0; run < count(); run++) {
            bytes += bytes(run);
        }
        return bytes;
    }
}
