package org.restorej.internal.coding;

/**
 * Consecutive positions of one part that are computed from the same rows of k others.
 *
 * @param position first of them
 * @param count how many
 * @param slot where they go, of blocks that were wanted
 * @param sourceParts the others, ascending; none where there are no blocks, only zeros
 * @param sourceSlots slots of the first block of each
 * @param sourceCounts how many blocks of each there are; those that are missing count as zeros
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Decoding(long position, long count, long slot, int[] sourceParts, long[] sourceSlots,
        long[] sourceCounts) {}
