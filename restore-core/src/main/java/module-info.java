/**
 * The replicated store, and the placement of its blocks. Uses the communicators of {@code org.restorej.comm}.
 *
 * <p>
 * Exports the packages for programs to all modules, and each other package only to the modules of this project that use
 * it.
 */
// The modules that get such packages are compiled later.
@SuppressWarnings("module") module org.restorej.core {
    requires transitive org.restorej.comm;

    requires static transitive org.jspecify;

    exports org.restorej;
    exports org.restorej.balance;
    exports org.restorej.block;
    exports org.restorej.codec;
    exports org.restorej.loop;
    exports org.restorej.objects;
    exports org.restorej.placement;
    exports org.restorej.report;
    exports org.restorej.rows;

    exports org.restorej.internal.erasure to org.restorej.redset;
    exports org.restorej.internal.placement to org.restorej.cli;
    exports org.restorej.internal.risk to org.restorej.cli;
    exports org.restorej.internal.storage to org.restorej.bench;
    exports org.restorej.internal.training to org.restorej.redset;

    uses org.restorej.internal.training.TrainingPart;
}
