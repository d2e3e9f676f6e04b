package org.restorej.redset.blocks;

/**
 * Where a file of blocks comes from.
 *
 * @param savedMillis when its checkpoint was saved, since 1970; the same in all files that were saved together
 * @param writer rank of the PE that wrote it
 * @param writers how many PEs wrote one
 */
public record Origin(long savedMillis, int writer, int writers) {
    /** Checks the ranks. */
    public Origin {
        if (writer < 0 || writer >= writers) {
            throw new IllegalArgumentException(
                    "writer must be at least 0 and less than writers: writer=" + writer + ", writers=" + writers);
        }
    }
}
