package org.restorej.internal.coding;

/**
 * Consecutive positions of one part that are computed from the same rows of k other parts.
 *
 * @param position first position
 * @param count number of positions
 * @param slot first slot of the result, among requested blocks
 * @param sourceParts the other parts, ascending; empty if there are no blocks, only zeros
 * @param sourceSlots slot of the first block of each source
 * @param sourceCounts number of blocks of each source; missing ones count as zeros
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Decoding(long position, long count, long slot, int[] sourceParts, long[] sourceSlots,
        long[] sourceCounts) {}
