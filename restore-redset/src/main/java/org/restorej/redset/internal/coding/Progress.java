package org.restorej.redset.internal.coding;

/** Is told how the work goes on; called by several threads. */
@FunctionalInterface
public interface Progress {
    /** Tells nobody. */
    Progress NONE = bytes -> {};

    /** So many more bytes were computed. */
    void advanced(long bytes);
}
