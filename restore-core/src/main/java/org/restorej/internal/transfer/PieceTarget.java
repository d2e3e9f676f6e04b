package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.plan.PieceMemory;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ByteRuns;

/** Where the bytes of pieces go that come to a PE, and what follows them. */
sealed interface PieceTarget {
    /** Where all goes that the PE of a group sends. */
    ByteRuns toReceive(PieceTable pieces, int group);

    /**
     * Memory of replicas.
     *
     * @param memory has room for all pieces
     * @param checksums whether checksums follow the blocks
     */
    record Replicas(BlockMemory memory, boolean checksums) implements PieceTarget {
        @Override
        public ByteRuns toReceive(PieceTable pieces, int group) {
            ByteRuns blocks = pieces.runs(group, PieceMemory.blocks(memory));
            return checksums ? ByteRuns.concat(blocks, pieces.runs(group, PieceMemory.checksums(memory))) : blocks;
        }
    }

    /**
     * Memory of who wants the blocks.
     *
     * @param memory off-heap
     * @param layout of the slots in it
     * @param trailer takes what follows the blocks; null when nothing does
     */
    record Wanted(MemorySegment memory, BlockLayout layout, @Nullable IntegrityTrailer trailer) implements PieceTarget {
        @Override
        public ByteRuns toReceive(PieceTable pieces, int group) {
            ByteRuns blocks = pieces.runs(group, PieceMemory.slots(memory, layout));
            return trailer == null ? blocks : ByteRuns.concat(blocks, trailer.toReceive());
        }
    }
}
