package org.restorej.redset;

import java.nio.file.Path;
import java.util.List;

/**
 * A checkpoint that is whole, as one rank sees it.
 *
 * @param id its number
 * @param directory where it lies
 * @param files of this rank, in the order in which they were given
 */
public record Dataset(long id, Path directory, List<Path> files) {
    /** Copies the list. */
    public Dataset {
        files = List.copyOf(files);
    }
}
