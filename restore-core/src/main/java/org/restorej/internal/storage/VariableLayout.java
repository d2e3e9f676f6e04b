package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * The layout of blocks of any sizes. A size takes {@value #SIZE_BYTES} bytes, and the offset of every
 * {@value #MARK_BLOCKS}th block of a group, a mark, takes 8 more: 6.25 bytes a block, less than the 8 bytes of an
 * offset. An offset is a mark plus the sum of at most {@value #MARK_BLOCKS} sizes.
 *
 * <p>
 * The owner of the sizes may send and receive them like blocks of {@value #SIZE_BYTES} bytes. The start of a group
 * doesn't depend on sizes in other groups, which may be damaged. For replicas, a group is a chunk with one checksum.
 */
public final class VariableLayout implements BlockLayout {
    /** Bytes of a size: 48 bits, for blocks of up to 256 TiB. */
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
    private final long largestBytes;
    private final Groups groups;
    private final long marksOfGroup;

    /** Splits blocks into groups of consecutive ones, by their indices. */
    interface Groups {
        /** Number of groups. */
        long count();

        /** Maximum number of blocks in a group, at least 1. */
        long maxBlocks();

        /** Number of groups before the one of a block. */
        long before(long index);

        /** First block of the group of a block. */
        long first(long index);

        /** First block after the group of a block. */
        long end(long index);
    }

    /**
     * A single group.
     *
     * @param blocks their number
     */
    private record OneGroup(long blocks) implements Groups {
        @Override
        public long count() {
            return 1;
        }

        @Override
        public long maxBlocks() {
            return Math.max(1, blocks);
        }

        @Override
        public long before(long index) {
            return 0;
        }

        @Override
        public long first(long index) {
            return 0;
        }

        @Override
        public long end(long index) {
            return blocks;
        }
    }

    /**
     * The layout of blocks of known sizes, as one group.
     *
     * @param sizes {@value #SIZE_BYTES} bytes a block, as {@link #putSize} writes them; not copied, and must not change
     * @param allocator of the marks
     */
    public VariableLayout(MemorySegment sizes, SegmentAllocator allocator) {
        this(sizes, new OneGroup(sizes.byteSize() / SIZE_BYTES), allocator);
    }

    /** The layout with given groups. */
    VariableLayout(MemorySegment sizes, Groups groups, SegmentAllocator allocator) {
        this.sizes = sizes;
        this.groups = groups;
        count = sizes.byteSize() / SIZE_BYTES;
        marksOfGroup = Math.ceilDiv(groups.maxBlocks(), MARK_BLOCKS);
        marks = allocator.allocate(ValueLayout.JAVA_LONG, groups.count() * marksOfGroup);
        long offset = 0;
        long largest = 0;
        for (long first = 0; first < count; first = groups.end(first)) {
            long mark = groups.before(first) * marksOfGroup;
            long end = groups.end(first);
            for (long index = first; index < end; index++) {
                if ((index - first) % MARK_BLOCKS == 0) {
                    marks.setAtIndex(ValueLayout.JAVA_LONG, mark++, offset);
                }
                long size = size(sizes, index);
                offset = Math.addExact(offset, size);
                largest = Math.max(largest, size);
            }
        }
        bytes = offset;
        largestBytes = largest;
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
    public long largestBytes() {
        return largestBytes;
    }

    /** The sizes, {@value #SIZE_BYTES} bytes each. */
    public MemorySegment sizes() {
        return sizes;
    }

    @Override
    public long offset(long index) {
        if (index == count) {
            return bytes;
        }
        long inGroup = index - groups.first(index);
        long offset = marks.getAtIndex(ValueLayout.JAVA_LONG,
                groups.before(index) * marksOfGroup + inGroup / MARK_BLOCKS);
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
