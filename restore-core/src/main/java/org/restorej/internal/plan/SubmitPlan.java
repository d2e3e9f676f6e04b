package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;

/**
 * What a PE sends in one round of a submission.
 *
 * @param pieces the blocks, by current rank of their holders, this PE included
 * @param bytes where they are, by their slots; behind those of the application there may be parity
 * @param checksumPieces the checksums that go with them, by the same ranks: the slot of each is the index of its first
 *        checksum, the count their number
 * @param checksums of all chunks that lie in a piece as a whole
 */
public record SubmitPlan(PieceTable pieces, PieceTable.PieceMemory bytes, PieceTable checksumPieces,
        IntList checksums) {
    /** Collects what is sent. Not thread-safe. */
    static final class Builder {
        private final PieceTable.Builder pieces = new PieceTable.Builder();
        private final PieceTable.Builder checksumPieces = new PieceTable.Builder();
        private final IntArrayList checksums = new IntArrayList();
        private final boolean hasChecksums;

        /**
         * Nothing is sent yet.
         *
         * @param hasChecksums whether the holders have room for checksums
         */
        Builder(boolean hasChecksums) {
            this.hasChecksums = hasChecksums;
        }

        boolean hasChecksums() {
            return hasChecksums;
        }

        /** Sends a PE the blocks of some positions, which are at slots here. */
        void send(int currentRank, long position, long count, long slot) {
            pieces.add(currentRank, position, count, slot);
        }

        /** Adds a checksum behind the others. */
        void addChecksum(int checksum) {
            checksums.add(checksum);
        }

        int checksumCount() {
            return checksums.size();
        }

        /** Sends a PE the checksums from one on. */
        void sendChecksums(int currentRank, int first) {
            if (checksums.size() > first) {
                checksumPieces.add(currentRank, 0, (long) checksums.size() - first, first);
            }
        }

        /**
         * The plan.
         *
         * @param bytes where slots are
         */
        SubmitPlan build(int peers, PieceTable.PieceMemory bytes) {
            return new SubmitPlan(pieces.build(peers), bytes, checksumPieces.build(peers), checksums);
        }
    }
}
