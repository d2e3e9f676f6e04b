package org.restorej.internal.message;

import java.util.function.Consumer;

/** Applies an action to each element, even if it throws for some of them; for clean-up. */
public final class Completely {
    private Completely() {}

    /** Applies the action to all elements, and then throws the first exception, with the later ones suppressed. */
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
