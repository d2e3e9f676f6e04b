package org.restorej.cli.plan;

import java.util.Locale;

/** A unit that fails as a whole. */
enum FailureUnit {
    /** One rank. */
    RANK,
    /** All ranks of a node. */
    NODE,
    /** All nodes of a rack. */
    RACK;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
