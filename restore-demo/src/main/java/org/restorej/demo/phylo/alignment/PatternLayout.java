package org.restorej.demo.phylo.alignment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * How one site pattern lies in one block of the store: a byte a taxon, the set of its states as {@link Nucleotides} has
 * them, then the weight, a 4-byte little-endian integer that isn't aligned. No padding: the likelihood copies blocks
 * into its own arrays anyway, so that alignment here would cost memory and bandwidth and gain nothing.
 *
 * @param taxonCount number of taxa, at least 2
 */
public record PatternLayout(int taxonCount) {
    private static final ValueLayout.OfInt WEIGHT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Checks the number of taxa. */
    public PatternLayout {
        if (taxonCount < 2) {
            throw new IllegalArgumentException("taxonCount must be at least 2: taxonCount=" + taxonCount);
        }
    }

    /** Bytes of a block. */
    public int blockSizeBytes() {
        return taxonCount + Integer.BYTES;
    }

    /**
     * Writes blocks. Block {@code b} is pattern {@code b mod patterns.count()}: an alignment that is repeated is its
     * list of patterns over and over.
     *
     * @param patterns patterns of as many taxa
     * @param firstBlock id of the first block to write
     * @param blocks where they go: a whole number of blocks
     */
    public void write(SitePatterns patterns, long firstBlock, MemorySegment blocks) {
        if (patterns.taxonCount() != taxonCount) {
            throw new IllegalArgumentException(
                    "patterns must have " + taxonCount + " taxa: taxonCount=" + patterns.taxonCount());
        }
        long count = blockCount(blocks);
        int pattern = (int) (firstBlock % patterns.count());
        for (long index = 0; index < count; index++) {
            long offset = index * blockSizeBytes();
            MemorySegment.copy(patterns.column(pattern), 0, blocks, ValueLayout.JAVA_BYTE, offset, taxonCount);
            blocks.set(WEIGHT, offset + taxonCount, patterns.weight(pattern));
            pattern = pattern + 1 == patterns.count() ? 0 : pattern + 1;
        }
    }

    /** Number of blocks in a segment, which must be a whole one. */
    public long blockCount(MemorySegment blocks) {
        if (blocks.byteSize() % blockSizeBytes() != 0) {
            throw new IllegalArgumentException("a segment of blocks must be a multiple of " + blockSizeBytes()
                    + " bytes long: byteSize=" + blocks.byteSize());
        }
        return blocks.byteSize() / blockSizeBytes();
    }

    /** Set of states of a taxon in a block, 1 to 15. */
    public byte mask(MemorySegment blocks, long block, int taxon) {
        Objects.checkIndex(taxon, taxonCount);
        return blocks.get(ValueLayout.JAVA_BYTE, block * blockSizeBytes() + taxon);
    }

    /** Weight of a block. */
    public int weight(MemorySegment blocks, long block) {
        return blocks.get(WEIGHT, block * blockSizeBytes() + taxonCount);
    }
}
