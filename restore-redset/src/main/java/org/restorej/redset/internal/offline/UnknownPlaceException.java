package org.restorej.redset.internal.offline;

import java.io.IOException;

/** The directory for the files of a lost member is unknown or wrong: the user must name it. */
public final class UnknownPlaceException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for a wrong {@code --lost}. */
    public UnknownPlaceException(String message) {
        super(message);
    }

    /**
     * Creates an exception for a member without a known directory.
     *
     * @param what files that are lost
     * @param rank of the member in the job
     * @param isOnlyOne whether no other member is lost
     * @param directories that were given
     */
    public UnknownPlaceException(String what, int rank, boolean isOnlyOne, Object directories) {
        super("where " + what + " go isn't known: give "
                + (isOnlyOne
                        ? "exactly one directory that has no member of this set, such as an empty one in the place of "
                                + "a lost node, or --lost " + rank + "=DIR; directories given: "
                        : "a directory for each lost member, such as --lost " + rank + "=DIR for an empty one in the "
                                + "place of its node; directories given: ")
                + directories);
    }
}
