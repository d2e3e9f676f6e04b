package org.restorej.internal.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.coding.Decoder;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.CheckedMemory;

/**
 * The bytes of a pull: replicas for PEs that request blocks, checked before they are sent, and the blocks that this PE
 * requests, by their slots. If blocks are coded, the slots after these are for blocks from which lost ones are computed.
 *
 * <p>
 * Eight bytes follow the blocks for a PE that say whether all of them match their checksums. They are sent together with
 * the blocks: the sender might fail in between, and its damaged bytes would then pass as sound. Not thread-safe.
 */
public final class ReadPayload implements Payload {
    private static final MemorySegment SOUND = trailer(0);
    private static final MemorySegment DAMAGED = trailer(1);

    private final CheckedMemory source;
    private final BlockLayout layout;
    private final MemorySegment bytes;
    private final @Nullable Decoder decoder;
    private final SegmentAllocator allocator;
    private final List<MemorySegment> trailers = new ArrayList<>();
    private boolean copiedSound = true;

    /**
     * Creates a payload.
     *
     * @param source this PE's replicas; damage that is found is recorded there
     * @param layout of the requested blocks in ascending order of their ids
     * @param bytes off-heap, filled with them
     * @param decoder computes lost blocks; null if blocks are not coded
     * @param allocator of memory that stays allocated while messages are in flight
     */
    public ReadPayload(CheckedMemory source, BlockLayout layout, MemorySegment bytes, @Nullable Decoder decoder,
            SegmentAllocator allocator) {
        this.source = source;
        this.layout = layout;
        this.bytes = bytes;
        this.decoder = decoder;
        this.allocator = allocator;
    }

    private static MemorySegment trailer(long value) {
        MemorySegment memory = Arena.global().allocate(ValueLayout.JAVA_LONG);
        memory.set(ValueLayout.JAVA_LONG, 0, value);
        return memory;
    }

    private MemorySegment at(long slot, long count) {
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

    @Override
    public List<MemorySegment> toSend(PieceTable pieces, int group) {
        boolean sound = Payload.checkSource(source, pieces, group);
        List<MemorySegment> runs = pieces.byPosition(group, source.memory()::at);
        runs.add(sound ? SOUND : DAMAGED);
        return runs;
    }

    @Override
    public List<MemorySegment> toReceive(PieceTable pieces, int group) {
        List<MemorySegment> runs = pieces.bySlot(group, this::at);
        trailers.add(allocator.allocate(ValueLayout.JAVA_LONG));
        runs.add(trailers.getLast());
        return runs;
    }

    /** {@inheritDoc} Copies each piece right after its check, while it is still in the cache. */
    @Override
    public void copy(PieceTable pieces, int group) {
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            long position = pieces.position(piece);
            long count = pieces.count(piece);
            copiedSound &= source.check(position, count);
            at(pieces.slot(piece), count).copyFrom(source.memory().at(position, count));
        }
    }

    @Override
    public boolean allSound() {
        for (MemorySegment trailer : trailers) {
            if (trailer.get(ValueLayout.JAVA_LONG, 0) != 0) {
                return false;
            }
        }
        return copiedSound;
    }
}
