package org.restorej.internal.settlement;

import org.jspecify.annotations.Nullable;

/**
 * What a part returns, and, with the flags that all PEs have in common, what {@link Meeting#settle} returns.
 *
 * @param flags any bits but the lowest and the two highest, which are the settlement's own; their meaning is the
 *        caller's
 * @param result of this PE
 */
public record Outcome<T extends @Nullable Object>(int flags, T result) {
    /** A result without flags. */
    public static <T extends @Nullable Object> Outcome<T> of(T result) {
        return new Outcome<>(0, result);
    }

    /** Whether a flag is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
