package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;

/** Runs of bytes in memory, in the order in which they travel: what one PE sends to another, or receives from it. */
public interface ByteRuns {
    /** Number of runs. */
    int count();

    /** Length of a run. */
    long bytes(int run);

    /** Its memory, off-heap. */
    MemorySegment segment(int run);

    /** One run. */
    static ByteRuns of(MemorySegment segment) {
        return new ByteRuns() {
            @Override
            public int count() {
                return 1;
            }

            @Override
            public long bytes(int run) {
                return segment.byteSize();
            }

            @Override
            public MemorySegment segment(int run) {
                return segment;
            }
        };
    }

    /** Some runs, and after them others. */
    static ByteRuns concat(ByteRuns first, ByteRuns second) {
        int firsts = first.count();
        return new ByteRuns() {
            @Override
            public int count() {
                return firsts + second.count();
            }

            @Override
            public long bytes(int run) {
                return run < firsts ? first.bytes(run) : second.bytes(run - firsts);
            }

            @Override
            public MemorySegment segment(int run) {
                return run < firsts ? first.segment(run) : second.segment(run - firsts);
            }
        };
    }

    /** Copies the bytes of some runs into others of the same lengths; empty runs count on neither side. */
    static void copy(ByteRuns source, ByteRuns target) {
        int from = 0;
        for (int run = 0; run < target.count(); run++) {
            if (target.bytes(run) > 0) {
                while (source.bytes(from) == 0) {
                    from++;
                }
                target.segment(run).copyFrom(source.segment(from++));
            }
        }
    }
}
