package org.restorej.internal.coding;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Computes lost blocks in batches, which share memory. Not thread-safe. */
public final class BlockDecoder implements Decoder {
    private static final long CACHE_LINE_BYTES = 64;

    private final RowCode code;
    private final long blockSizeBytes;
    private final @Nullable SizesDecoder sizes;
    private final SegmentAllocator allocator;
    private final Long2ObjectMap<Source> sources = new Long2ObjectOpenHashMap<>();
    private List<Decoding> expected = List.of();
    /** Memory of the sources of the current batch, or of an earlier one that had more. */
    private final List<MemorySegment> buffers = new ArrayList<>();

    /** The bytes received from a part, padded with zeros to the length of the row's longest cell. */
    private record Source(MemorySegment padded, long bytes) {}

    /**
     * Creates a decoder.
     *
     * @param blockSizeBytes size of blocks of one size
     * @param sizes has decoded the sizes of the same blocks, if they differ; otherwise null
     * @param allocator of memory that stays allocated while messages are in flight
     */
    public BlockDecoder(RowCode code, long blockSizeBytes, @Nullable SizesDecoder sizes, SegmentAllocator allocator) {
        this.code = code;
        this.blockSizeBytes = blockSizeBytes;
        this.sizes = sizes;
        this.allocator = allocator;
    }

    @Override
    public void expect(List<Decoding> decodings) {
        expected = decodings;
        sources.clear();
        int parity = code.layout().dataParts();
        for (Decoding decoding : decodings) {
            for (int source = 0; source < decoding.sourceSlots().length; source++) {
                long slot = decoding.sourceSlots()[source];
                if (!sources.containsKey(slot)) {
                    MemorySegment padded = buffer(sources.size(), bytes(decoding, parity, decoding.count()));
                    Source added = new Source(padded, bytes(decoding, decoding.sourceParts()[source],
                            decoding.sourceCounts()[source]));
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
            // Cells may get longer from batch to batch, and replaced memory is freed only at the end.
            buffers.set(source, allocator.allocate(Math.max(bytes, 2 * buffers.get(source).byteSize()),
                    CACHE_LINE_BYTES));
        }
        return buffers.get(source).asSlice(0, bytes);
    }

    /** Bytes of a part in the rows of a decoding. */
    private long bytes(Decoding decoding, int part, long count) {
        return sizes == null ? count * blockSizeBytes : sizes.row(decoding).cellBytes(part);
    }

    /** Offset of a decoding in its cell. */
    private long offset(Decoding decoding) {
        return sizes == null || code.layout().isParity(decoding.position())
                ? 0
                : sizes.row(decoding).bytesBefore(0, code.layout().partOf(decoding.position()),
                        decoding.position() % code.layout().cellBlocks());
    }

    @Override
    public MemorySegment at(long slot, long count) {
        Source source = sources.get(slot);
        return source.padded().asSlice(0, source.bytes());
    }

    @Override
    public void decode(Function<Decoding, MemorySegment> targets) {
        for (Decoding decoding : expected) {
            MemorySegment target = targets.apply(decoding);
            if (decoding.sourceParts().length == 0 || target.byteSize() == 0) {
                target.fill((byte) 0);
                continue;
            }
            MemorySegment[] from = new MemorySegment[decoding.sourceSlots().length];
            for (int source = 0; source < from.length; source++) {
                from[source] = sources.get(decoding.sourceSlots()[source]).padded().asSlice(offset(decoding),
                        target.byteSize());
            }
            code.decode(code.layout().partOf(decoding.position()), decoding.sourceParts(), from, target);
        }
        expected = List.of();
    }
}
