package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.function.Function;

/**
 * Memory for what lost blocks, or their sizes, are computed from, found by its slots, and their computation, batch by
 * batch. One thread.
 */
public sealed interface Decoder permits BlockDecoder, SizesDecoder {
    /**
     * A decoder of blocks of one size.
     *
     * @param allocator gives memory that stays until no message is under way any more
     */
    static Decoder ofBlocks(RowCode code, long blockSizeBytes, SegmentAllocator allocator) {
        return new BlockDecoder(code, blockSizeBytes, null, allocator);
    }

    /**
     * A decoder of blocks of any sizes.
     *
     * @param sizes has decoded the sizes of the same blocks
     */
    static Decoder ofBlocks(RowCode code, SizesDecoder sizes, SegmentAllocator allocator) {
        return new BlockDecoder(code, 0, sizes, allocator);
    }

    /** Makes room for what these are computed from; what was expected before has been decoded. */
    void expect(List<Decoding> decodings);

    /** The memory of consecutive slots that are expected. */
    MemorySegment at(long slot, long count);

    /**
     * Computes all that is expected, when all that it is computed from has come.
     *
     * @param targets where each goes
     */
    void decode(Function<Decoding, MemorySegment> targets);
}
