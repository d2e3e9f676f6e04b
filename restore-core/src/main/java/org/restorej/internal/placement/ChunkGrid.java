package org.restorej.internal.placement;

/**
 * Splits positions into chunks, the runs of positions that share a checksum: permutation ranges, split again where a
 * piece of the {@link ReplicaRing} begins. So neither a re-replicated replica nor a message of whole permutation ranges
 * splits a chunk. Computed, not stored; the same on every PE. Immutable; constant time.
 *
 * @param ring knows the pieces
 * @param chunkBlocks maximum length of a chunk: blocks of a permutation range, at least 1
 */
public record ChunkGrid(ReplicaRing ring, long chunkBlocks) {
    public ChunkGrid {
        if (chunkBlocks < 1) {
            throw new IllegalArgumentException("chunkBlocks must be at least 1: chunkBlocks=" + chunkBlocks);
        }
    }

    /** First position of the chunk of a position. */
    public long chunkFirst(long position) {
        if (position % chunkBlocks == 0) {
            return position;
        }
        int range = ring.placement().rangeOf(position);
        return Math.max(ring.firstPosition(range, ring.pieceOf(range, position)),
                position - position % chunkBlocks);
    }

    /** First position after the chunk of a position. */
    public long chunkEnd(long position) {
        return Math.min(pieceEnd(position), position - position % chunkBlocks + chunkBlocks);
    }

    /** First position after the piece of a position. */
    public long pieceEnd(long position) {
        int range = ring.placement().rangeOf(position);
        return ring.firstPosition(range, ring.pieceOf(range, position) + 1);
    }

    /** Number of chunks between two positions of one piece, without the chunk of the first one. */
    public long chunksBetween(long position, long laterInPiece) {
        return laterInPiece / chunkBlocks - position / chunkBlocks;
    }
}
