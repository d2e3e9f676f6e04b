package org.restorej.internal.coding;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Computes lost blocks in batches, and provides the memory of their sources, found by slots. Batches share this memory.
 * Not thread-safe.
 */
public final class Decoder {
    private static final long CACHE_LINE_BYTES = 64;

    private final RowCode code;
    private final long blockSizeBytes;
    private final SegmentAllocator allocator;
    private final Long2ObjectMap<Source> sources = new Long2ObjectOpenHashMap<>();
    private List<Decoding> expected = List.of();
    /** Memory of the sources of the current batch, or of an earlier one that had more. */
    private final List<MemorySegment> buffers = new ArrayList<>();

    /** The bytes received from a part, padded with zeros to the number of computed blocks. */
    private record Source(MemorySegment padded, long bytes) {}

    /**
     * Creates a decoder.
     *
     * @param allocator of memory that stays allocated while messages are in flight
     */
    public Decoder(RowCode code, long blockSizeBytes, SegmentAllocator allocator) {
        this.code = code;
        this.blockSizeBytes = blockSizeBytes;
        this.allocator = allocator;
    }

    /** Starts a batch, and provides memory for its sources. The previous batch must have been decoded. */
    public void expect(List<Decoding> decodings) {
        expected = decodings;
        sources.clear();
        for (Decoding decoding : decodings) {
            for (int source = 0; source < decoding.sourceSlots().length; source++) {
                long slot = decoding.sourceSlots()[source];
                if (!sources.containsKey(slot)) {
                    MemorySegment padded = buffer(sources.size(), decoding.count() * blockSizeBytes);
                    Source added = new Source(padded, decoding.sourceCounts()[source] * blockSizeBytes);
                    padded.asSlice(added.bytes()).fill((byte) 0);
                    sources.put(slot, added);
                }
            }
        }
    }

    /** Memory of the batch's next source, reused from earlier batches. */
    private MemorySegment buffer(int source, long bytes) {
        if (source == buffers.size()) {
            buffers.add(allocator.allocate(bytes, CACHE_LINE_BYTES));
        } else if (buffers.get(source).byteSize() < bytes) {
            // Pieces may get longer from batch to batch, and replaced memory is freed only at the end.
            buffers.set(source, allocator.allocate(Math.max(bytes, 2 * buffers.get(source).byteSize()),
                    CACHE_LINE_BYTES));
        }
        return buffers.get(source).asSlice(0, bytes);
    }

    /** The memory of consecutive slots of the batch. */
    public MemorySegment at(long slot, long count) {
        return sources.get(slot).padded().asSlice(0, count * blockSizeBytes);
    }

    /**
     * Computes the batch, when all its sources have been received.
     *
     * @param targets memory of each result
     */
    public void decode(Function<Decoding, MemorySegment> targets) {
        for (Decoding decoding : expected) {
            MemorySegment target = targets.apply(decoding);
            if (decoding.sourceParts().length == 0) {
                target.fill((byte) 0);
                continue;
            }
            MemorySegment[] from = new MemorySegment[decoding.sourceSlots().length];
            for (int source = 0; source < from.length; source++) {
                from[source] = sources.get(decoding.sourceSlots()[source]).padded();
            }
            code.decode(code.layout().partOf(decoding.position()), decoding.sourceParts(), from, target);
        }
        expected = List.of();
    }
}
