package org.restorej.cli.plan;

import java.util.Locale;

/** What fails as a whole. */
enum FailureUnit {
    /** One process. */
    RANK,
    /** All ranks of a node. */
    NODE,
    /** All nodes of a rack. */
    RACK;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
