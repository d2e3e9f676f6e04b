package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.storage.ByteRuns;

/**
 * Runs whose lengths are looked at several times: that of a checksum takes a search for its chunk each time. Takes
 * eight bytes a run.
 */
final class MeasuredRuns implements ByteRuns {
    private final ByteRuns runs;
    private final long[] lengths;
    private final long totalBytes;

    /** Measures all runs; their lengths must not change any more. */
    MeasuredRuns(ByteRuns runs) {
        this.runs = runs;
        lengths = new long[runs.count()];
        long total = 0;
        for (int run = 0; run < lengths.length; run++) {
            lengths[run] = runs.bytes(run);
            total += lengths[run];
        }
        totalBytes = total;
    }

    /** Length of all runs. */
    long totalBytes() {
        return totalBytes;
    }

    @Override
    public int count() {
        return lengths.length;
    }

    @Override
    public long bytes(int run) {
        return lengths[run];
    }

    @Override
    public MemorySegment segment(int run) {
        return runs.segment(run);
    }
}
