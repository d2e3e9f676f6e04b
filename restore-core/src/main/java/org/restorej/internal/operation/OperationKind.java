package org.restorej.internal.operation;

import java.util.Locale;

/** The operations that a store counts and that JDK Flight Recorder sees. */
public enum OperationKind {
    SUBMIT(true), SUBMIT_CHANGES(true), PULL(false), PUSH(false), RECOVER(false), REPLENISH(true), SCRUB(false);

    private final boolean changesReplicas;

    OperationKind(boolean changesReplicas) {
        this.changesReplicas = changesReplicas;
    }

    /**
     * Whether it brings about replicas on all PEs, or on none: then nobody knows that all of them are valid and sound
     * unless everybody lives to say so.
     */
    boolean changesReplicas() {
        return changesReplicas;
    }

    /** Its name in lower case, as texts have it: {@code "submit changes"}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
