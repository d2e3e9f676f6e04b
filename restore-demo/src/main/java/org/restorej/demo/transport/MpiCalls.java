package org.restorej.demo.transport;

import java.util.Locale;

/** How ranks call MPI. */
public enum MpiCalls {
    /** By foreign functions: any MPI. */
    NATIVE,
    /** By the Java bindings of Open MPI. */
    BINDINGS;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
