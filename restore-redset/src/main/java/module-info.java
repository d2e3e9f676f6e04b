/** Redundancy for node-local files. Only the package {@code org.restorej.redset} is for applications. */
// The modules that get such packages are compiled later.
@SuppressWarnings("module") module org.restorej.redset {
    requires transitive org.restorej.core;

    requires static transitive org.jspecify;

    exports org.restorej.redset;

    exports org.restorej.redset.internal.coding to org.restorej.cli;
    exports org.restorej.redset.internal.files to org.restorej.cli;
    exports org.restorej.redset.internal.format to org.restorej.cli;
    exports org.restorej.redset.internal.offline to org.restorej.cli;
    exports org.restorej.redset.internal.scr to org.restorej.cli;

    provides org.restorej.internal.training.TrainingPart with
            org.restorej.redset.training.CheckpointTraining, org.restorej.redset.training.RedsetTraining;
}
