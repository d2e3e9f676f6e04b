package org.restorej.internal.coding;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.function.Function;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.RowLayout;
import org.restorej.internal.storage.VariableLayout;

/**
 * Finds the sizes of lost blocks among the sizes of their rows, which are received from one holder of parity, or from
 * all holders of data. Keeps them, because the blocks are decoded with them: 6 k bytes for each lost block, if whole
 * cells are lost. Not thread-safe.
 */
public final class SizesDecoder implements Decoder {
    private final CodedLayout layout;
    private final SegmentAllocator allocator;
    private final Long2ObjectMap<MemorySegment> sources = new Long2ObjectOpenHashMap<>();
    private final Long2ObjectMap<MemorySegment> rows = new Long2ObjectOpenHashMap<>();
    private final Long2ObjectMap<RowLayout> layouts = new Long2ObjectOpenHashMap<>();
    private List<Decoding> expected = List.of();

    /**
     * Creates a decoder.
     *
     * @param allocator of memory that stays allocated until the blocks have been decoded
     */
    public SizesDecoder(CodedLayout layout, SegmentAllocator allocator) {
        this.layout = layout;
        this.allocator = allocator;
    }

    @Override
    public void expect(List<Decoding> decodings) {
        expected = decodings;
        sources.clear();
        for (Decoding decoding : decodings) {
            long[] slots = decoding.sourceSlots();
            if (slots.length == 0 || sources.containsKey(slots[0])) {
                continue;
            }
            long row = layout.rowOf(decoding.position());
            MemorySegment sizes = allocator.allocate(
                    layout.dataParts() * layout.cellBlocks() * VariableLayout.SIZE_BYTES, Long.BYTES);
            // Cells without blocks are not read.
            rows.put(row, sizes.fill((byte) 0));
            for (int source = 0; source < slots.length; source++) {
                long cell = layout.cell(row, decoding.sourceParts()[source]);
                sources.put(slots[source], layout.isParity(cell)
                        ? sizes
                        : RowSizes.slice(layout, sizes, cell, layout.cellBlocks()));
            }
        }
    }

    @Override
    public MemorySegment at(long slot, long count) {
        return sources.get(slot);
    }

    @Override
    public void decode(Function<Decoding, MemorySegment> targets) {
        for (Decoding decoding : expected) {
            MemorySegment target = targets.apply(decoding);
            if (decoding.sourceParts().length == 0) {
                target.fill((byte) 0);
                continue;
            }
            MemorySegment row = rows.get(layout.rowOf(decoding.position()));
            target.copyFrom(layout.isParity(decoding.position())
                    ? row
                    : RowSizes.slice(layout, row, decoding.position(), decoding.count()));
        }
        expected = List.of();
    }

    /** The layout of a row that is being computed. */
    RowLayout row(Decoding decoding) {
        long row = layout.rowOf(decoding.position());
        return layouts.computeIfAbsent(row, _ -> new RowLayout(rows.get(row), layout.dataParts(), layout.cellBlocks(),
                allocator));
    }
}
