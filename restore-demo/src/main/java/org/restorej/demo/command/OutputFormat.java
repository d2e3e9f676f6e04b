package org.restorej.demo.command;

import java.util.Locale;

/** How results are written. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs: one object. */
    JSON;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
