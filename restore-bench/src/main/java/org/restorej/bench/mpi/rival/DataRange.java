package org.restorej.bench.mpi.rival;

/**
 * A run of bytes of a data set that all PEs have together.
 *
 * @param offset of its first byte
 * @param bytes how many, may be none
 */
public record DataRange(long offset, long bytes) {
    /** Checks. */
    public DataRange {
        if (offset < 0 || bytes < 0) {
            throw new IllegalArgumentException(
                    "offset and bytes must be at least 0: offset=" + offset + ", bytes=" + bytes);
        }
    }

    /** First byte after it. */
    public long end() {
        return offset + bytes;
    }
}
