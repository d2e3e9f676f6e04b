package org.restorej.redset.internal.coding;

/** Receives the progress of a rebuild, from several threads. */
@FunctionalInterface
public interface Progress {
    /** Ignores it. */
    Progress NONE = bytes -> {};

    /** Called when so many more bytes were computed. */
    void advanced(long bytes);
}
