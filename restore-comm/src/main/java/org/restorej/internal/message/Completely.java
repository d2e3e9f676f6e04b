package org.restorej.internal.message;

import java.util.function.Consumer;

/** Does something with each of several things, also when it throws for one of them: to end what is under way. */
public final class Completely {
    private Completely() {}

    /** Throws what was thrown first, with what was thrown later as suppressed, when all have had their turn. */
    public static <T> void forEach(Iterable<? extends T> all, Consumer<? super T> action) {
        Throwable first = null;
        for (T each : all) {
            try {
                action.accept(each);
            } catch (RuntimeException | Error thrown) {
                if (first == null) {
                    first = thrown;
                } else if (!thrown.equals(first)) {
                    first.addSuppressed(thrown);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
