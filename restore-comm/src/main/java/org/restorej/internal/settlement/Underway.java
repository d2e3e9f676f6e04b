package org.restorej.internal.settlement;

/** What a part has under way. */
@FunctionalInterface
public interface Underway {
    /** Aborts it, after the communicator was revoked. */
    void abort();

    /** Whether the others may still need something of this PE when its own part is done. */
    default boolean isNeeded() {
        return false;
    }

    /** Does now what the others need of this PE; called until all have done their parts, and never waits. */
    default void serve() {}

    /** Ends it when all have done their parts, and nobody needs anything of this PE any more. */
    default void finish() {}
}
