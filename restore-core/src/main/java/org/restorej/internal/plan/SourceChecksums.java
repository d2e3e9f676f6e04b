package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.ByteRuns;
import org.restorej.internal.storage.Checksum;

/**
 * The checksums that a sender makes of what it submits: one for each chunk that lies in one of its pieces as a whole,
 * once whatever the number of replicas.
 */
public final class SourceChecksums {
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

    /** What a PE gets of them, in order of its pieces. */
    public Messages messages(int peerLimit, SegmentAllocator allocator) {
        MemorySegment memory = allocator.allocateFrom(ValueLayout.JAVA_INT, values.toIntArray());
        return new Messages(pieces.build(peerLimit), memory);
    }

    /**
     * Checksums by receiver.
     *
     * @param pieces the slot of each is the index of its first checksum, the count their number
     * @param memory all checksums
     */
    public record Messages(PieceTable pieces, MemorySegment memory) implements PieceMemory {
        /** Those for one PE. */
        public ByteRuns of(int peer) {
            int group = pieces.groupOf(peer);
            return group < 0 ? ByteRuns.NONE : pieces.runs(group, this);
        }

        @Override
        public MemorySegment at(PieceTable table, int piece) {
            return memory.asSlice(table.slot(piece) * Integer.BYTES, bytes(table, piece));
        }

        @Override
        public long bytes(PieceTable table, int piece) {
            return table.count(piece) * Integer.BYTES;
        }
    }
}
