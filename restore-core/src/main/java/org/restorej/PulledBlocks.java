package org.restorej;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.restorej.block.BlockRanges;
import org.restorej.internal.operation.ReadOperation;

/**
 * Blocks that a pull or push has brought, one after another in ascending order of their ids. Their memory belongs to
 * the arena that was given to the pull. Immutable as far as the bytes are not changed.
 *
 * <p>
 * A block is asked for by its id ({@link #blockOf}) or, in loops over {@code 0 .. count() - 1}, by its place among
 * these ({@link #blockAt}); the id at a place is {@code ids().blockAt(place)}.
 */
public final class PulledBlocks implements Iterable<PulledBlocks.Block> {
    /**
     * One of the blocks.
     *
     * @param id of the block
     * @param bytes a view of {@link PulledBlocks#bytes}, read-only
     */
    public record Block(long id, MemorySegment bytes) {}

    private final ReadOperation.Delivered blocks;

    PulledBlocks(ReadOperation.Delivered blocks) {
        this.blocks = blocks;
    }

    /** Ids of these blocks. */
    public BlockRanges ids() {
        return blocks.ids();
    }

    /** The bytes of all blocks, one after another; perhaps longer, where the application has given the memory. */
    public MemorySegment bytes() {
        return blocks.bytes();
    }

    /** Number of blocks. */
    public long count() {
        return blocks.ids().blockCount();
    }

    /**
     * The bytes of the block with an id: a view of {@link #bytes}, no copy. Logarithmic in the number of runs of ids.
     *
     * @throws IllegalArgumentException when the block is not one of these
     */
    public MemorySegment blockOf(long id) {
        long place = ids().indexOf(id);
        if (place < 0) {
            throw new IllegalArgumentException("id must be one of " + ids() + ": id=" + id);
        }
        return blockAt(place);
    }

    /**
     * The bytes of the block at a place among these, in ascending order of ids: a view of {@link #bytes}, no copy.
     *
     * @param place not an id: {@code 0 <= place < count()}
     * @throws IndexOutOfBoundsException when there is no such place
     */
    public MemorySegment blockAt(long place) {
        Objects.checkIndex(place, count());
        return block(blocks.bytes(), place);
    }

    private MemorySegment block(MemorySegment all, long place) {
        return all.asSlice(blocks.layout().offset(place), blocks.layout().bytes(place, 1));
    }

    /** The blocks one by one, in ascending order of their ids. */
    @Override
    public Iterator<Block> iterator() {
        MemorySegment readOnly = blocks.bytes().asReadOnly();
        return new Iterator<>() {
            private long place;

            @Override
            public boolean hasNext() {
                return place < count();
            }

            @Override
            public Block next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("there are " + count() + " blocks, and no more");
                }
                Block next = new Block(ids().blockAt(place), block(readOnly, place));
                place++;
                return next;
            }
        };
    }

    /** Hands out the blocks one by one, read-only, in ascending order of their ids. */
    public void forEach(BlockConsumer consumer) {
        MemorySegment readOnly = blocks.bytes().asReadOnly();
        BlockRanges ids = blocks.ids();
        for (int run = 0; run < ids.runCount(); run++) {
            for (long id = ids.runFirst(run); id < ids.runEnd(run); id++) {
                consumer.accept(id, block(readOnly, ids.blocksBefore(run) + (id - ids.runFirst(run))));
            }
        }
    }
}
