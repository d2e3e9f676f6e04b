package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.storage.ByteRuns;

/** The short runs between this PE and another in one direction, and how far they have been packed or unpacked. */
final class PackedStream {
    private final int peer;
    private final ByteRuns runs;
    private final TransferLimits limits;
    private int run;
    /** Length of the next short run: finding it takes time where there are many pieces. */
    private long bytes;

    PackedStream(int peer, ByteRuns runs, TransferLimits limits) {
        this.peer = peer;
        this.runs = runs;
        this.limits = limits;
        skipOthers();
    }

    /** Current rank of the other PE. */
    int peer() {
        return peer;
    }

    /** Whether all short runs are through. */
    boolean isThrough() {
        return run == runs.count();
    }

    /** Length of the next short run. */
    long bytes() {
        return bytes;
    }

    /** Length of the next short runs together that a frame of this length holds. */
    long bytesWithin(long frameBytes) {
        long within = bytes;
        for (int later = run + 1; later < runs.count(); later++) {
            long next = runs.bytes(later);
            if (limits.packs(next)) {
                if (next > frameBytes - within) {
                    return within;
                }
                within += next;
            }
        }
        return within;
    }

    /** Copies the next short run to a frame, and goes on to the one after it. */
    void pack(MemorySegment frame, long offset) {
        MemorySegment.copy(runs.segment(run), 0, frame, offset, bytes);
        run++;
        skipOthers();
    }

    /** Copies the next short run from a frame, and goes on to the one after it. */
    void unpack(MemorySegment frame, long offset) {
        MemorySegment.copy(frame, offset, runs.segment(run), 0, bytes);
        run++;
        skipOthers();
    }

    private void skipOthers() {
        int count = runs.count();
        while (run < count) {
            bytes = runs.bytes(run);
            if (limits.packs(bytes)) {
                return;
            }
            run++;
        }
    }
}
