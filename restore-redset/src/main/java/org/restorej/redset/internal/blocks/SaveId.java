package org.restorej.redset.internal.blocks;

import java.util.Comparator;

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
