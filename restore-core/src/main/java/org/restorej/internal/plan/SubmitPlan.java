package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * The data that a PE sends in one round of a submission.
 *
 * @param pieces the blocks, by current rank of their holders, this PE included
 * @param bytes their memory by slots; parity may follow the application's blocks
 * @param checksumPieces their checksums, by the same ranks: the slot of each piece is the index of its first checksum,
 *        the count their number
 * @param checksums of all chunks that lie completely in a piece, off-heap
 */
public record SubmitPlan(PieceTable pieces, PieceTable.PieceMemory bytes, PieceTable checksumPieces,
        MemorySegment checksums) {
    /** Collects the data to send. Not thread-safe. */
    static final class Builder {
        private final PieceTable.Builder pieces = new PieceTable.Builder();
        private final PieceTable.Builder checksumPieces = new PieceTable.Builder();
        private final IntArrayList checksums = new IntArrayList();

        /** Sends blocks of consecutive positions, at consecutive slots, to a PE. */
        void send(int currentRank, long position, long count, long slot) {
            pieces.add(currentRank, position, count, slot);
        }

        /** Appends a checksum. */
        void addChecksum(int checksum) {
            checksums.add(checksum);
        }

        int checksumCount() {
            return checksums.size();
        }

        /** Sends the checksums from an index on to a PE. */
        void sendChecksums(int currentRank, int first) {
            if (checksums.size() > first) {
                checksumPieces.add(currentRank, 0, (long) checksums.size() - first, first);
            }
        }

        /**
         * The plan.
         *
         * @param bytes memory of the slots
         * @param allocator of memory for the checksums
         */
        SubmitPlan build(int peers, PieceTable.PieceMemory bytes, SegmentAllocator allocator) {
            return new SubmitPlan(pieces.build(peers), bytes, checksumPieces.build(peers),
                    allocator.allocateFrom(ValueLayout.JAVA_INT, checksums.toIntArray()));
        }
    }
}
