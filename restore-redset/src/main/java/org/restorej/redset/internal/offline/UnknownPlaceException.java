package org.restorej.redset.internal.offline;

import java.io.IOException;

/** The directory for the files of a lost member is unknown or wrong: the user must name it. */
public final class UnknownPlaceException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception that says what to give. */
    public UnknownPlaceException(String message) {
        super(message);
    }
}
