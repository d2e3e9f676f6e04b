package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.function.Function;

/**
 * Memory for blocks that others are computed from, found by their slots, and their computation: batch by batch, so that
 * it takes no more memory than the largest batch. One thread.
 */
public final class Decoder {
    private final RowCode code;
    private final long blockSizeBytes;
    private final SegmentAllocator allocator;
    private List<Decoding> expected = List.of();
    private MemorySegment sources = MemorySegment.NULL;
    private long firstSlot;

    /**
     * A decoder of blocks of one size.
     *
     * @param allocator gives memory that stays until no message is under way any more
     */
    public Decoder(RowCode code, long blockSizeBytes, SegmentAllocator allocator) {
        this.code = code;
        this.blockSizeBytes = blockSizeBytes;
        this.allocator = allocator;
    }

    /** Makes room for what these are computed from; what was expected before has been decoded. */
    public void expect(List<Decoding> decodings) {
        expected = decodings;
        long end = 0;
        firstSlot = Long.MAX_VALUE;
        for (Decoding decoding : decodings) {
            for (long slot : decoding.sourceSlots()) {
                firstSlot = Math.min(firstSlot, slot);
                end = Math.max(end, slot + decoding.count());
            }
        }
        long bytes = end == 0 ? 0 : (end - firstSlot) * blockSizeBytes;
        if (bytes > sources.byteSize()) {
            sources = allocator.allocate(bytes, Long.BYTES);
        }
        for (Decoding decoding : decodings) {
            for (int source = 0; source < decoding.sourceSlots().length; source++) {
                long there = decoding.sourceCounts()[source];
                at(decoding.sourceSlots()[source] + there, decoding.count() - there).fill((byte) 0);
            }
        }
    }

    /** The memory of consecutive slots. */
    public MemorySegment at(long slot, long count) {
        return sources.asSlice((slot - firstSlot) * blockSizeBytes, count * blockSizeBytes);
    }

    /**
     * Computes all that is expected, when all that it is computed from has come.
     *
     * @param targets where each goes
     */
    public void decode(Function<Decoding, MemorySegment> targets) {
        for (Decoding decoding : expected) {
            if (decoding.sourceParts().length == 0) {
                targets.apply(decoding).fill((byte) 0);
                continue;
            }
            MemorySegment[] from = new MemorySegment[decoding.sourceSlots().length];
            for (int source = 0; source < from.length; source++) {
                from[source] = at(decoding.sourceSlots()[source], decoding.count());
            }
            code.decode(decoding.part(), decoding.sourceParts(), from, targets.apply(decoding));
        }
        expected = List.of();
    }
}
