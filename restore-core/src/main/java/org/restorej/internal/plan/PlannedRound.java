package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;

/** What this PE sends in a round of a submit, while it is being planned. Not thread-safe. */
final class PlannedRound {
    private final boolean hasChecksums;
    private final PieceTable.Builder pieces = new PieceTable.Builder();
    private final PieceTable.Builder checksumPieces = new PieceTable.Builder();
    private final IntArrayList checksums = new IntArrayList();

    /**
     * A round that sends nothing yet.
     *
     * @param hasChecksums whether the holders have room for checksums
     */
    PlannedRound(boolean hasChecksums) {
        this.hasChecksums = hasChecksums;
    }

    boolean hasChecksums() {
        return hasChecksums;
    }

    /** Sends a PE the blocks of some positions, which are at slots here. */
    void send(int currentRank, long position, long count, long slot) {
        pieces.add(currentRank, position, count, slot);
    }

    /** Adds a checksum, and says which one it is. */
    int addChecksum(int checksum) {
        checksums.add(checksum);
        return checksums.size() - 1;
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
