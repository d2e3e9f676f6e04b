package org.restorej.redset.internal.files;

/** How far the ranks have come that replace their files together; the name of the journal ends in it. */
public enum CommitStage {
    /** The new files of this rank are complete, under other names. Nothing was moved. */
    STAGED,
    /** Those of all ranks are complete: files are being moved, or were. */
    DECIDED,
    /** It was given up: files are being moved back, or were. Counts more than a decision. */
    WITHDRAWN,
    /**
     * It was given up before this rank had moved anything. Tells the other ranks what {@link #WITHDRAWN} does; here the
     * new files only go.
     */
    DROPPED;

    /** Whether a rank that has come so far knows that all move back. */
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
