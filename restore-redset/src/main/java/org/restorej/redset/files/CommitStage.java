package org.restorej.redset.files;

/** How far the ranks have come that replace their files together; the name of the journal ends in it. */
public enum CommitStage {
    /** The new files of this rank are complete, under other names. Nothing was moved. */
    STAGED,
    /** Those of all ranks are complete: files are being moved, or were. */
    DECIDED,
    /** It was given up: files are being moved back, or were. Counts more than a decision. */
    WITHDRAWN;

    String extension() {
        return switch (this) {
            case STAGED -> "restorej-staged";
            case DECIDED -> "restorej-decided";
            case WITHDRAWN -> "restorej-withdrawn";
        };
    }
}
