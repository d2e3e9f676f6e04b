package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.coding.Decoder;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.BlockLayout;

/**
 * The destination of requested blocks, by their slots. If blocks are coded, the slots after these are for blocks from
 * which lost ones are computed. Not thread-safe.
 */
public final class ReadTarget implements PieceTable.PieceMemory {
    private final BlockLayout layout;
    private final MemorySegment bytes;
    private final @Nullable Decoder decoder;

    /**
     * Creates a target.
     *
     * @param layout of the requested blocks in ascending order of their ids
     * @param bytes off-heap, filled with them
     * @param decoder computes lost blocks; null if blocks are not coded
     */
    public ReadTarget(BlockLayout layout, MemorySegment bytes, @Nullable Decoder decoder) {
        this.layout = layout;
        this.bytes = bytes;
        this.decoder = decoder;
    }

    @Override
    public MemorySegment at(long slot, long count) {
        return slot < layout.count()
                ? layout.slice(bytes, slot, count)
                : Objects.requireNonNull(decoder, "decoder").at(slot, count);
    }

    /** Provides memory for blocks of a batch that were not requested. */
    void expect(List<Decoding> decodings) {
        if (decoder != null) {
            decoder.expect(decodings);
        }
    }

    /** Computes lost blocks, when the whole batch has been received. */
    void decode() {
        if (decoder != null) {
            decoder.decode(decoding -> layout.slice(bytes, decoding.slot(), decoding.count()));
        }
    }
}
