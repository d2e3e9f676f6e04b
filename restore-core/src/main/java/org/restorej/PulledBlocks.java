package org.restorej;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.operation.ReadOperation;
import org.restorej.internal.storage.UniformLayout;

/**
 * The blocks that a pull has read, one after another in ascending order of their ids. Their memory belongs to the arena
 * that was passed to the pull. Immutable as long as the bytes are not changed.
 *
 * <p>
 * A block is found by its id ({@link #blockOf}) or, in loops over {@code 0 .. count() - 1}, by its index among these
 * blocks ({@link #blockAt}). The id at an index is {@code ids().blockAt(index)}.
 */
public final class PulledBlocks {
    /** Takes the blocks of a pull. */
    @FunctionalInterface
    public interface Consumer {
        /**
         * Takes one block.
         *
         * @param blockId id of the block
         * @param block its bytes, read-only; valid only during the call
         */
        void accept(long blockId, MemorySegment block);
    }

    private final ReadOperation.Delivered blocks;

    PulledBlocks(ReadOperation.Delivered blocks) {
        this.blocks = blocks;
    }

    /** Ids of these blocks. */
    public BlockRanges ids() {
        return blocks.ids();
    }

    /** The bytes of all blocks, one after another. */
    public MemorySegment bytes() {
        return blocks.bytes();
    }

    /** Number of blocks. */
    public long count() {
        return blocks.ids().blockCount();
    }

    /**
     * The bytes of the block with an id: a read-only view of {@link #bytes}, no copy. Takes time logarithmic in the
     * number of runs of ids.
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
     * The bytes of the block at an index among these, in ascending order of ids: a read-only view of {@link #bytes}, no
     * copy.
     *
     * @param place index, not an id: {@code 0 <= place < count()}
     * @throws IndexOutOfBoundsException when the index is out of range
     */
    public MemorySegment blockAt(long place) {
        Objects.checkIndex(place, count());
        return blocks.layout().slice(blocks.bytes(), place, 1).asReadOnly();
    }

    /** A submission of these blocks, without a copy. */
    public Submission submission() {
        boolean sized = !(blocks.layout() instanceof UniformLayout);
        Submission submission = new Submission();
        long place = 0;
        for (BlockRange run : ids().runs()) {
            MemorySegment bytes = blocks.layout().slice(bytes(), place, run.count());
            if (sized) {
                long[] sizes = new long[Math.toIntExact(run.count())];
                for (int i = 0; i < sizes.length; i++) {
                    sizes[i] = blocks.layout().bytes(place + i, 1);
                }
                submission.add(run, BlockRange.Sizes.of(run, sizes), bytes);
            } else {
                submission.add(run, bytes);
            }
            place += run.count();
        }
        return submission;
    }

    /** Passes the blocks one by one, read-only, in ascending order of their ids. */
    public void forEach(Consumer consumer) {
        MemorySegment readOnly = blocks.bytes().asReadOnly();
        BlockRanges ids = blocks.ids();
        for (int run = 0; run < ids.runCount(); run++) {
            for (long id = ids.runFirst(run); id < ids.runEnd(run); id++) {
                consumer.accept(id,
                        blocks.layout().slice(readOnly, ids.blocksBefore(run) + (id - ids.runFirst(run)), 1));
            }
        }
    }
}
