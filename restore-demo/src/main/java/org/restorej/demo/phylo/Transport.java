package org.restorej.demo.phylo;

import java.util.Locale;

/** What carries the messages of PEs. */
enum Transport {
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
