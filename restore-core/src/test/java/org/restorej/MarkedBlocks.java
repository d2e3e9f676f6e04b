package org.restorej;

import static org.restorej.comm.testing.Checks.equal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/**
 * Blocks of 1 byte that are 0 but for a mark of 8 bytes in every 256 KiB, so that files of them are sparse and yet tell
 * when anything is not where it belongs. 256 KiB are also what a permutation moves as a whole. The mark's value and its
 * place follow from its number; it lies so that borders may cut it.
 */
final class MarkedBlocks {
    private static final long SPAN = 256 << 10;

    private MarkedBlocks() {}

    private static long mark(long span) {
        return (span + 1) * 0x9E3779B97F4A7C15L | 0x0101010101010101L;
    }

    private static long markFirst(long span) {
        return span * SPAN + (span * 48_271 % (SPAN / Long.BYTES)) * Long.BYTES;
    }

    /** Writes the marks of a range into memory that is 0. */
    static void write(BlockRange blocks, MemorySegment memory) {
        forEachSpan(blocks, (first, expected) -> {
            long span = first / SPAN;
            long from = Math.max(first, markFirst(span));
            long to = Math.min(first + expected.byteSize(), markFirst(span) + Long.BYTES);
            if (from < to) {
                MemorySegment.copy(expected, from - first, memory, from - blocks.first(), to - from);
            }
        });
    }

    /** Checks blocks that lie in ascending order. */
    static void check(BlockRanges blocks, MemorySegment memory) {
        long[] offset = {0};
        for (int run = 0; run < blocks.runCount(); run++) {
            forEachSpan(BlockRange.between(blocks.runFirst(run), blocks.runEnd(run)), (first, expected) -> {
                long mismatch = memory.asSlice(offset[0], expected.byteSize()).mismatch(expected);
                equal(-1L, mismatch, "first wrong byte from block " + first + " on");
                offset[0] += expected.byteSize();
            });
        }
    }

    private interface SpanConsumer {
        void accept(long firstBlock, MemorySegment expected);
    }

    /** The expected bytes of a range, a span or a part of one at a time. */
    private static void forEachSpan(BlockRange blocks, SpanConsumer consumer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(SPAN);
            for (long first = blocks.first(); first < blocks.end(); first = first / SPAN * SPAN + SPAN) {
                long span = first / SPAN;
                long end = Math.min(blocks.end(), (span + 1) * SPAN);
                whole.set(ValueLayout.JAVA_LONG_UNALIGNED, markFirst(span) - span * SPAN, mark(span));
                consumer.accept(first, whole.asSlice(first - span * SPAN, end - first));
                whole.set(ValueLayout.JAVA_LONG_UNALIGNED, markFirst(span) - span * SPAN, 0);
            }
        }
    }
}
