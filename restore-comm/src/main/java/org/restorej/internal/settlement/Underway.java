package org.restorej.internal.settlement;

/** The pending communication of a part. */
@FunctionalInterface
public interface Underway {
    /** Aborts it, after the communicator was revoked. */
    void abort();

    /** Whether other PEs may still need this PE when its own part is done. */
    default boolean isNeeded() {
        return false;
    }

    /** Serves the other PEs without waiting; called until all have done their parts. */
    default void serve() {}

    /** Ends it, when all have done their parts and no PE needs this one any more. */
    default void finish() {}
}
