package org.restorej.redset.internal.files;

/** How far a rank has come in a commit; the name of its journal ends in the stage. */
public enum CommitStage {
    /** The new files of this rank are complete, under other names. Nothing was moved. */
    STAGED,
    /** The new files of all ranks are complete. Files are being moved, or were. */
    DECIDED,
    /** The commit was given up. Files are being moved back, or were. Overrides {@link #DECIDED}. */
    WITHDRAWN,
    /**
     * The commit was given up before this rank had moved anything; its new files are only deleted. For other ranks it
     * means the same as {@link #WITHDRAWN}.
     */
    DROPPED;

    /** Whether it follows from this stage that all ranks move back. */
    boolean isGivenUp() {
        return this == WITHDRAWN || this == DROPPED;
    }

    String extension() {
        return switch (this) {
            case STAGED -> "restorej-staged";
            case DECIDED -> "restorej-decided";
            case WITHDRAWN -> "restorej-withdrawn";
            case DROPPED -> "restorej-dropped";
        };
    }
}
