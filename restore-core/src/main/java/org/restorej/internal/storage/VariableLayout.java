package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * Blocks of any sizes. A size takes {@value #SIZE_BYTES} bytes, and every {@value #MARK_BLOCKS}th block has its offset
 * noted in 8 more: 6.25 bytes a block, less than the 8 that its offset alone would take. An offset is a mark and the
 * sum of at most {@value #MARK_BLOCKS} sizes.
 *
 * <p>
 * The sizes are in memory that its owner may send and receive like blocks of {@value #SIZE_BYTES} bytes. Blocks may come
 * in groups, such as the cells of coded rows: where a group begins is known without the sizes in others.
 */
public final class VariableLayout implements BlockLayout {
    /** Bytes of a size: 48 bits, so a block can have 256 TiB. */
    public static final int SIZE_BYTES = 6;

    public static final long MAX_BLOCK_BYTES = (1L << 48) - 1;

    /** Blocks between marks. */
    public static final int MARK_BLOCKS = 32;

    private static final ValueLayout.OfInt LOW_BITS = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort HIGH_BITS = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final MemorySegment sizes;
    private final MemorySegment marks;
    private final long count;
    private final long bytes;
    private final long groupBlocks;
    private final long marksOfGroup;

    /** The layout of one group of blocks; otherwise as below. */
    public VariableLayout(MemorySegment sizes, SegmentAllocator allocator) {
        this(sizes, Math.max(1, sizes.byteSize() / SIZE_BYTES), allocator);
    }

    /**
     * The layout of blocks whose sizes are known.
     *
     * @param sizes {@value #SIZE_BYTES} bytes a block, as {@link #putSize} writes them; used, not copied, and not to be
     *        changed any more
     * @param groupBlocks blocks of a group, at least 1; a divisor of their number
     * @param allocator of the marks
     */
    public VariableLayout(MemorySegment sizes, long groupBlocks, SegmentAllocator allocator) {
        this.sizes = sizes;
        this.groupBlocks = groupBlocks;
        count = sizes.byteSize() / SIZE_BYTES;
        marksOfGroup = Math.ceilDiv(groupBlocks, MARK_BLOCKS);
        marks = allocator.allocate(ValueLayout.JAVA_LONG, count / groupBlocks * marksOfGroup);
        long offset = 0;
        long mark = 0;
        for (long first = 0; first < count; first += groupBlocks) {
            for (long index = 0; index < groupBlocks; index++) {
                if (index % MARK_BLOCKS == 0) {
                    marks.setAtIndex(ValueLayout.JAVA_LONG, mark++, offset);
                }
                offset = Math.addExact(offset, size(sizes, first + index));
            }
        }
        bytes = offset;
    }

    public static void putSize(MemorySegment sizes, long index, long sizeBytes) {
        if (sizeBytes < 0 || sizeBytes > MAX_BLOCK_BYTES) {
            throw new IllegalArgumentException(
                    "the size of a block must be in 0.." + MAX_BLOCK_BYTES + ": sizeBytes=" + sizeBytes);
        }
        sizes.set(LOW_BITS, index * SIZE_BYTES, (int) sizeBytes);
        sizes.set(HIGH_BITS, index * SIZE_BYTES + Integer.BYTES, (short) (sizeBytes >>> Integer.SIZE));
    }

    public static long size(MemorySegment sizes, long index) {
        long low = Integer.toUnsignedLong(sizes.get(LOW_BITS, index * SIZE_BYTES));
        long high = Short.toUnsignedLong(sizes.get(HIGH_BITS, index * SIZE_BYTES + Integer.BYTES));
        return high << Integer.SIZE | low;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long offset(long index) {
        if (index == count) {
            return bytes;
        }
        long group = index / groupBlocks;
        long inGroup = index - group * groupBlocks;
        long offset = marks.getAtIndex(ValueLayout.JAVA_LONG, group * marksOfGroup + inGroup / MARK_BLOCKS);
        for (long i = index - inGroup % MARK_BLOCKS; i < index; i++) {
            offset += size(sizes, i);
        }
        return offset;
    }

    @Override
    public long overheadBytes() {
        return sizes.byteSize() + marks.byteSize();
    }
}
