package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.Checksum;

/**
 * The checksums that a sender makes of what it submits: one for each chunk that lies in one of its pieces as a whole,
 * once whatever the number of replicas.
 */
final class SourceChecksums {
    private final ChunkGrid grid;
    private final SourceRuns runs;
    private final IntArrayList values = new IntArrayList();
    private final PieceTable.Builder pieces = new PieceTable.Builder();
    private int firstOfPiece;

    public SourceChecksums(ChunkGrid grid, SourceRuns runs) {
        this.grid = grid;
        this.runs = runs;
    }

    /** Makes those of a piece; {@link #addHolder} says who gets them. */
    public void begin(long position, long count, long slot) {
        firstOfPiece = values.size();
        long end = position + count;
        long chunk = grid.chunkFirst(position) == position ? position : grid.chunkEnd(position);
        while (chunk < end) {
            long chunkEnd = grid.chunkEnd(chunk);
            if (chunkEnd <= end) {
                values.add(Checksum.of(runs.at(slot + (chunk - position), chunkEnd - chunk)));
            }
            chunk = chunkEnd;
        }
    }

    public void addHolder(int currentRank) {
        if (values.size() > firstOfPiece) {
            pieces.add(currentRank, 0, (long) values.size() - firstOfPiece, firstOfPiece);
        }
    }

    /** Who gets which of them, in order of its pieces: see {@link SubmitPlan#checksumPieces}. */
    PieceTable pieces(int peerLimit) {
        return pieces.build(peerLimit);
    }

    /** All checksums. */
    IntList values() {
        return values;
    }
}
