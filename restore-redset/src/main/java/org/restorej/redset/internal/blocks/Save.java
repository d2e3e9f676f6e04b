package org.restorej.redset.internal.blocks;

import java.util.Comparator;

/**
 * What tells files that were saved together from those of other times; the later one is the greater.
 *
 * @param savedMillis when, since 1970
 * @param writers how many PEs wrote a file
 */
public record Save(long savedMillis, int writers) implements Comparable<Save> {
    private static final Comparator<Save> ORDER = Comparator.comparingLong(Save::savedMillis)
            .thenComparingInt(Save::writers);

    @Override
    public int compareTo(Save other) {
        return ORDER.compare(this, other);
    }
}
