package org.restorej.redset.internal.format;

import java.io.IOException;

/** A file has an invalid format: it is truncated, damaged, of another format, or malicious. */
public final class FormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what was found and what was expected
     */
    public FormatException(String message) {
        super(message);
    }
}
