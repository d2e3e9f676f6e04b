/**
 * Fault-tolerant message passing: communicators on threads and on every MPI, with real and with simulated failures.
 *
 * <p>
 * Exports what programs may rely on. Of the other packages each module of this project gets what it uses.
 */
// The modules that get such packages are compiled later. fastutil is an automatic module, but says its name itself.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"}) module org.restorej.comm {
    requires transitive it.unimi.dsi.fastutil.core;

    requires static mpi;
    requires static transitive org.jspecify;

    exports org.restorej.comm;
    exports org.restorej.comm.collective;
    exports org.restorej.comm.local;
    exports org.restorej.comm.mpi;

    exports org.restorej.internal.foreign to org.restorej.bench, org.restorej.core;
    exports org.restorej.internal.host to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.memory to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.message to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.mpi to org.restorej.bench;
    exports org.restorej.internal.program to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.settlement to org.restorej.core, org.restorej.redset;
}
