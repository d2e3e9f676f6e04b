package org.restorej.internal.plan;

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
        IntList checksums) {}
