package org.restorej.internal.plan;

import java.lang.foreign.SegmentAllocator;

/**
 * What a PE sends in one round of a submission: its pieces by current rank of their holders, this PE included, and
 * their checksums.
 */
public final class SubmitPlan {
    private final PieceTable pieces;
    private final SourceRuns runs;
    private final SourceChecksums checksums;
    private final int peerCount;

    SubmitPlan(PieceTable pieces, SourceRuns runs, SourceChecksums checksums, int peerCount) {
        this.pieces = pieces;
        this.runs = runs;
        this.checksums = checksums;
        this.peerCount = peerCount;
    }

    /** The pieces, by holder. */
    public PieceTable pieces() {
        return pieces;
    }

    /** Finds the bytes of the pieces. */
    public PieceMemory blocks() {
        return runs.blocks();
    }

    /**
     * The checksums of the chunks that lie in the pieces as a whole, by holder.
     *
     * @param allocator of the memory that they are sent from
     */
    public SourceChecksums.Messages checksums(SegmentAllocator allocator) {
        return checksums.messages(peerCount, allocator);
    }
}
