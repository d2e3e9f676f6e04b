package org.restorej.demo.transport;

import java.util.Locale;

/** What carries the messages of PEs. */
public enum Transport {
    /** PEs are threads of this JVM. */
    LOCAL,
    /** PEs are processes under MPI. */
    MPI;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
