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
 * Where wanted blocks go, by their slots; behind those, where blocks go that lost ones are computed from, if they are
 * coded. One thread.
 */
public final class ReadTarget implements PieceTable.PieceMemory {
    private final BlockLayout layout;
    private final MemorySegment bytes;
    private final @Nullable Decoder decoder;

    /**
     * A target.
     *
     * @param layout of the wanted blocks in ascending order of their ids
     * @param bytes off-heap, filled with them
     * @param decoder computes lost blocks; null where they are not coded
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

    /** Makes room for what a batch brings besides wanted blocks. */
    void expect(List<Decoding> decodings) {
        if (decoder != null) {
            decoder.expect(decodings);
        }
    }

    /** Computes lost blocks, when all of a batch has come. */
    void decode() {
        if (decoder != null) {
            decoder.decode(decoding -> layout.slice(bytes, decoding.slot(), decoding.count()));
        }
    }
}
