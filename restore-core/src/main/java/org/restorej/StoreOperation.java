package org.restorej;

import java.util.Locale;

/** The operations that a {@link StoreReport} counts and that JDK Flight Recorder sees. */
public enum StoreOperation {
    /** A new generation of all blocks. */
    SUBMIT,
    /** A new generation of some blocks. */
    SUBMIT_CHANGES,
    /** Blocks for those who ask for them. */
    PULL,
    /** Blocks for those who are known to need them. */
    PUSH,
    /** Taking note of who has died, and going on with the survivors. */
    RECOVER,
    /** Making lost and damaged replicas anew. */
    REPLENISH,
    /** Checking all replicas against their checksums. */
    SCRUB;

    /** Its name in lower case, as texts have it: {@code "submit changes"}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
