package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What a set is called. */
public sealed interface SetName {
    /** For people. */
    String shown();

    /**
     * A set of redset.
     *
     * @param prefix what the names of its files begin with, directory included
     * @param group id of the set, from 0
     * @param groups number of sets
     */
    record OfRedset(String prefix, int group, int groups) implements SetName {
        @Override
        public String shown() {
            return "set " + (group + 1L) + " of " + groups + " of " + prefix + "*";
        }
    }

    /**
     * A set that SCR itself has written.
     *
     * @param directories that hold its XOR files, in order
     * @param id of the set, as in the names of its files
     * @param dataset name and id of the data set, for people
     */
    record OfScr(List<Path> directories, int id, String dataset) implements SetName {
        /** Copies the list. */
        public OfScr {
            directories = List.copyOf(directories);
        }

        @Override
        public String shown() {
            return "set " + id + " of SCR's data set " + (dataset.isEmpty() ? "" : dataset + " ") + "in "
                    + directories.stream().map(Path::toString).collect(Collectors.joining(", "));
        }
    }
}
