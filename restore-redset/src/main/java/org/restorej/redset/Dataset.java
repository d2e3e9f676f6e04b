package org.restorej.redset;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A checkpoint that is whole, as one rank sees it.
 *
 * @param id its number
 * @param directory where it lies
 * @param files of this rank, in the order in which they were given
 * @param skipped newer ones that could not be recovered, each with the reason; empty when it is the newest
 */
public record Dataset(long id, Path directory, List<Path> files, SortedMap<Long, String> skipped) {
    /** Copies the collections. */
    public Dataset {
        files = List.copyOf(files);
        skipped = Collections.unmodifiableSortedMap(new TreeMap<>(skipped));
    }
}
