package org.restorej.redset.internal.format;

import org.restorej.redset.Scheme;

/**
 * Places of the chunks and checksums of a coded set. There are {@code p} rows. In each row every rank has one cell:
 * {@code k} ranks have a checksum, the others a chunk of their logical file. So every rank has {@code p - k} data
 * chunks, in the order of the rows, and {@code k} checksums.
 *
 * @param ranks {@code p}, number of processes of the set
 * @param checksums {@code k}, at least 1 and less than {@code p}
 */
public record ChunkLayout(int ranks, int checksums) {
    /** Checks the numbers. */
    public ChunkLayout {
        if (checksums < 1 || checksums >= ranks) {
            throw new IllegalArgumentException(
                    "checksums must be at least 1 and less than ranks: checksums=" + checksums + ", ranks=" + ranks);
        }
    }

    /**
     * The layout of a set.
     *
     * @throws IllegalArgumentException if the set is too small or too large for the scheme
     */
    public static ChunkLayout of(Scheme.Coded scheme, int ranks) {
        scheme.checkSetOf(ranks);
        return new ChunkLayout(ranks, scheme.checksums());
    }

    /** Number of data chunks of each rank. */
    public int dataChunks() {
        return ranks - checksums;
    }

    /**
     * Bytes of a chunk, at least 1.
     *
     * @param longestBytes length of the longest logical file of the set
     */
    public long chunkBytes(long longestBytes) {
        return Math.max(1, Math.ceilDiv(longestBytes, dataChunks()));
    }

    /** Number of the checksum that a rank stores for a row, or -1 if it has data there. */
    public int checksumAt(int row, int rank) {
        int checksum = Math.floorMod(row - rank, ranks);
        return checksum < checksums ? checksum : -1;
    }

    /** Number of the data chunk that a rank has in a row, or -1 if it has a checksum there. */
    public int chunkAt(int row, int rank) {
        return checksumAt(row, rank) >= 0 ? -1 : row - checksumRowsBefore(row, rank);
    }

    /**
     * Number of rows before this one in which the rank has checksums. Its rows are {@code rank .. rank + k - 1}, modulo
     * the rows.
     */
    private int checksumRowsBefore(int row, int rank) {
        int wrapped = Math.max(0, rank + checksums - ranks);
        int notWrapped = checksums - wrapped;
        return Math.min(row, wrapped) + Math.clamp((long) row - rank, 0, notWrapped);
    }

    /** The rank that stores a checksum of a row. */
    public int holderOfChecksum(int row, int checksum) {
        return Math.floorMod(row - checksum, ranks);
    }
}
