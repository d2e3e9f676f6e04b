package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * Computes lost blocks, or their sizes, in batches, and provides the memory of their sources, found by slots. Not
 * thread-safe.
 */
public sealed interface Decoder permits BlockDecoder, SizesDecoder {
    /** Starts a batch, and provides memory for its sources. The previous batch must have been decoded. */
    void expect(List<Decoding> decodings);

    /** The memory of consecutive slots of the batch. */
    MemorySegment at(long slot, long count);

    /**
     * Computes the batch, when all its sources have been received.
     *
     * @param targets memory of each result
     */
    void decode(Function<Decoding, MemorySegment> targets);
}
