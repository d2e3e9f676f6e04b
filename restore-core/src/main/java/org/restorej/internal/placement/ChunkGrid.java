package org.restorej.internal.placement;

/**
 * Cuts positions into chunks, the runs of positions that have one checksum: a permutation range, cut again where a
 * piece of the {@link ReplicaRing} begins. So neither a replica that is made anew nor a message of whole permutation
 * ranges ever cuts a chunk. Computed, not stored: every PE finds the same chunks. Immutable; constant time.
 *
 * @param ring knows the pieces
 * @param chunkBlocks longest chunk: blocks of a permutation range, at least 1
 */
public record ChunkGrid(ReplicaRing ring, long chunkBlocks) {
    public ChunkGrid {
        if (chunkBlocks < 1) {
            throw new IllegalArgumentException("chunkBlocks must be at least 1: chunkBlocks=" + chunkBlocks);
        }
    }

    /** First position of the chunk that a position lies in. */
    public long chunkFirst(long position) {
        if (position % chunkBlocks == 0) {
            return position;
        }
        int range = ring.placement().rangeOf(position);
        return Math.max(ring.firstPosition(range, ring.pieceOf(range, position)),
                position - position % chunkBlocks);
    }

    /** First position after the chunk that a position lies in. */
    public long chunkEnd(long position) {
        return Math.min(pieceEnd(position), position - position % chunkBlocks + chunkBlocks);
    }

    /** First position after the piece that a position lies in. */
    public long pieceEnd(long position) {
        int range = ring.placement().rangeOf(position);
        return ring.firstPosition(range, ring.pieceOf(range, position) + 1);
    }

    /** Number of chunks between two positions of one piece, the chunk of the first one not counted. */
    public long chunksBetween(long position, long laterInPiece) {
        return laterInPiece / chunkBlocks - position / chunkBlocks;
    }
}
