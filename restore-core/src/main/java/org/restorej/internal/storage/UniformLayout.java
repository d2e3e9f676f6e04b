package org.restorej.internal.storage;

/**
 * The layout of blocks of one size.
 *
 * @param count number of blocks
 * @param blockSizeBytes size of each
 */
public record UniformLayout(long count, long blockSizeBytes) implements BlockLayout {
    /** Checks that the number of bytes doesn't overflow. */
    public UniformLayout {
        Math.multiplyExact(count, blockSizeBytes);
    }

    @Override
    public long largestBytes() {
        return blockSizeBytes;
    }

    @Override
    public long offset(long index) {
        return index * blockSizeBytes;
    }
}
