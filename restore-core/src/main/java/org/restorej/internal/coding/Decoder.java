package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * Memory for what lost blocks, or their sizes, are computed from, found by its slots, and their computation, batch by
 * batch. One thread.
 */
public sealed interface Decoder permits BlockDecoder, SizesDecoder {
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
