package org.restorej.redset.internal.blocks;

import java.util.Comparator;

/**
 * Where a file of blocks comes from.
 *
 * @param savedMillis when its checkpoint was saved, since 1970; the same in all files that were saved together
 * @param writer rank of the PE that wrote it
 * @param writers how many PEs wrote one, at most {@link #MAX_WRITERS}
 */
public record Origin(long savedMillis, int writer, int writers) {
    /** More than any machine has cores; what claims more was not written here, and memory is taken for each of them. */
    public static final int MAX_WRITERS = 1 << 24;

    /** Checks time and ranks. */
    public Origin {
        if (savedMillis < 0) {
            throw new IllegalArgumentException("savedMillis must be at least 0: savedMillis=" + savedMillis);
        }
        if (writer < 0 || writer >= writers || writers > MAX_WRITERS) {
            throw new IllegalArgumentException("writer must be at least 0 and less than writers, and writers at most "
                    + MAX_WRITERS + ": writer=" + writer + ", writers=" + writers);
        }
    }

    /** What all files have in common that were saved together. */
    public SaveId save() {
        return new SaveId(savedMillis, writers);
    }

    /**
     * What tells files that were saved together from those of other times; the later one is the greater.
     *
     * @param savedMillis when, since 1970
     * @param writers how many PEs wrote a file
     */
    public record SaveId(long savedMillis, int writers) implements Comparable<SaveId> {
        private static final Comparator<SaveId> ORDER = Comparator.comparingLong(SaveId::savedMillis)
                .thenComparingInt(SaveId::writers);

        @Override
        public int compareTo(SaveId other) {
            return ORDER.compare(this, other);
        }
    }
}
