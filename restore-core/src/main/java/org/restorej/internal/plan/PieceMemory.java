package org.restorej.internal.plan;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;

/** Finds the memory of a piece. */
public interface PieceMemory {
    /** Its memory, off-heap. */
    MemorySegment at(PieceTable pieces, int piece);

    /** Its length in bytes. */
    long bytes(PieceTable pieces, int piece);

    /** The pieces' blocks. */
    static PieceMemory blocks(BlockMemory memory) {
        return new PieceMemory() {
            @Override
            public MemorySegment at(PieceTable pieces, int piece) {
                return memory.at(pieces.position(piece), pieces.count(piece));
            }

            @Override
            public long bytes(PieceTable pieces, int piece) {
                return memory.bytes(pieces.position(piece), pieces.count(piece));
            }
        };
    }

    /** The checksums of the chunks that lie in the pieces as a whole. */
    static PieceMemory checksums(BlockMemory memory) {
        return new PieceMemory() {
            @Override
            public MemorySegment at(PieceTable pieces, int piece) {
                return memory.checksums(pieces.position(piece), pieces.count(piece));
            }

            @Override
            public long bytes(PieceTable pieces, int piece) {
                return at(pieces, piece).byteSize();
            }
        };
    }

    /** Blocks at their slots, in memory where the slots follow each other. */
    static PieceMemory slots(MemorySegment memory, BlockLayout layout) {
        return new PieceMemory() {
            @Override
            public MemorySegment at(PieceTable pieces, int piece) {
                return memory.asSlice(layout.offset(pieces.slot(piece)), bytes(pieces, piece));
            }

            @Override
            public long bytes(PieceTable pieces, int piece) {
                return layout.bytes(pieces.slot(piece), pieces.count(piece));
            }
        };
    }
}
