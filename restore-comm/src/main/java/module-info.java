/**
 * Fault-tolerant message passing: communicators on threads and on every MPI, with real and with simulated failures.
 *
 * <p>
 * Exports the packages for programs to all modules, and each other package only to the modules of this project that use
 * it.
 */
// The modules that get such packages are compiled later. fastutil is an automatic module, but declares its name.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"}) module org.restorej.comm {
    requires transitive it.unimi.dsi.fastutil.core;

    requires static mpi;
    requires static transitive org.jspecify;

    exports org.restorej.comm;
    exports org.restorej.comm.collective;
    exports org.restorej.comm.local;
    exports org.restorej.comm.mpi;

    exports org.restorej.internal.foreign to org.restorej.bench, org.restorej.core;
    exports org.restorej.internal.host to org.restorej.cli, org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.memory to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.message to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.mpi to org.restorej.bench;
    exports org.restorej.internal.program to org.restorej.core, org.restorej.redset;
    exports org.restorej.internal.settlement to org.restorej.core, org.restorej.redset;
}
