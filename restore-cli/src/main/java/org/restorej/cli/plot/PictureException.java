package org.restorej.cli.plot;

/** A picture can't be drawn or written. The message is complete: it says why, and what to do about it. */
public final class PictureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PictureException(String message) {
        super(message);
    }

    PictureException(String message, Throwable cause) {
        super(message, cause);
    }
}
