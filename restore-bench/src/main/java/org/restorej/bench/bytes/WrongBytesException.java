package org.restorej.bench.bytes;

/** A benchmark has moved bytes, and some of them are not what they should be: its times mean nothing. */
public final class WrongBytesException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** Says what is wrong where. */
    public WrongBytesException(String message) {
        super(message);
    }
}
