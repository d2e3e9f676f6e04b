package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of one operation, any amount of it, from a {@link ScratchMemory}. It is not cleared, and given back as a whole
 * by {@link #close}: no message may be under way in it then. One thread at a time.
 */
public final class Scratch implements SegmentAllocator, AutoCloseable {
    /** What is longer gets memory of its own. */
    private static final long LONGEST_SHARING_BYTES = ScratchMemory.SLAB_BYTES / 2;

    private final ScratchMemory memory;
    private final List<Slab> slabs = new ArrayList<>();
    private SegmentAllocator current = SegmentAllocator.slicingAllocator(MemorySegment.NULL);
    private long room;

    Scratch(ScratchMemory memory) {
        this.memory = memory;
    }

    /**
     * {@inheritDoc}
     *
     * @param byteAlignment at most 64
     */
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteSize > LONGEST_SHARING_BYTES) {
            return added(Slab.allocate(byteSize)).memory();
        }
        long taken = byteSize + byteAlignment - 1;
        if (taken > room) {
            current = SegmentAllocator.slicingAllocator(added(memory.take()).memory());
            room = ScratchMemory.SLAB_BYTES;
        }
        // No less than what alignment can have taken.
        room -= taken;
        return current.allocate(byteSize, byteAlignment);
    }

    private Slab added(Slab slab) {
        slabs.add(slab);
        return slab;
    }

    /** Gives everything back. A second call does nothing. */
    @Override
    public void close() {
        slabs.forEach(memory::giveBack);
        slabs.clear();
        room = 0;
    }
}
