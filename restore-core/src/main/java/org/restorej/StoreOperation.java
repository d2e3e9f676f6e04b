package org.restorej;

import java.util.Locale;

/** What a store does. */
public enum StoreOperation {
    /** A new generation of all blocks. */
    SUBMIT,
    /** A new generation of some blocks. */
    SUBMIT_CHANGES,
    /** Blocks for those who ask for them. */
    PULL,
    /** Blocks for those who are known to need them. */
    PUSH,
    /** Going on with the survivors. */
    RECOVER,
    /** Making lost and damaged replicas anew. */
    REPLENISH,
    /** Checking all replicas. */
    SCRUB;

    /** What it is called in texts. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
