package org.restorej.redset.internal.format;

import java.io.IOException;

/** A file is not what it must be: truncated, damaged, of another format, or made to do harm. */
public final class FormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * A rule was broken.
     *
     * @param message what was found and what should be there
     */
    public FormatException(String message) {
        super(message);
    }
}
