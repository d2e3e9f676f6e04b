package org.restorej.redset;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A checkpoint that was loaded; the same on all PEs.
 *
 * @param id its number
 * @param skipped newer ones that could not be recovered, each with the reason; empty when it is the newest
 */
public record LoadedCheckpoint(long id, SortedMap<Long, String> skipped) {
    /** Copies the map. */
    public LoadedCheckpoint {
        skipped = Collections.unmodifiableSortedMap(new TreeMap<>(skipped));
    }
}
