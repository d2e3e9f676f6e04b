package org.restorej.internal.program;

import java.util.Objects;
import java.util.stream.Stream;

/** An exception and its causes. */
public final class Causes {
    /** An exception may be among its own causes. */
    private static final int MOST = 100;

    private Causes() {}

    /** The exception itself first, then its cause, and so on. */
    public static Stream<Throwable> of(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MOST);
    }
}
