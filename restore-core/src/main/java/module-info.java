/**
 * The replicated store, the communicators that it runs on, and where data lies.
 *
 * <p>
 * Exports what programs may rely on. Of the other packages each module of this project gets what it uses.
 */
// The modules that get such packages are compiled later. fastutil is an automatic module, but says its name itself.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"}) module org.restorej.core {
    requires jdk.jfr;

    requires transitive it.unimi.dsi.fastutil.core;

    requires static mpi;
    requires static transitive org.jspecify;

    exports org.restorej;
    exports org.restorej.balance;
    exports org.restorej.block;
    exports org.restorej.codec;
    exports org.restorej.comm;
    exports org.restorej.comm.local;
    exports org.restorej.comm.mpi;
    exports org.restorej.memory;
    exports org.restorej.placement;
    exports org.restorej.reduce;
    exports org.restorej.risk;

    exports org.restorej.internal.foreign to org.restorej.bench, org.restorej.redset;
    exports org.restorej.internal.host to org.restorej.redset;
    exports org.restorej.internal.memory to org.restorej.redset;
    exports org.restorej.internal.mpi to org.restorej.bench;
    exports org.restorej.internal.mpi.bindings to org.restorej.bench;
    exports org.restorej.internal.mpi.foreign to org.restorej.bench;
    exports org.restorej.internal.placement to org.restorej.bench, org.restorej.cli;
    exports org.restorej.internal.plan to org.restorej.bench;
    exports org.restorej.internal.risk to org.restorej.bench;
    exports org.restorej.internal.storage to org.restorej.bench;
    exports org.restorej.internal.training to org.restorej.redset;

    uses org.restorej.internal.training.TrainingPart;
}
