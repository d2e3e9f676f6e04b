package org.restorej.internal.settlement;

import org.jspecify.annotations.Nullable;

/**
 * The result of a part, and of {@link Meeting#settle}, with the flags that all PEs have in common.
 *
 * @param flags any bits except the lowest and the two highest, which the settlement uses; their meaning is the caller's
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
