/** Redundancy for node-local files. Only the package {@code org.restorej.redset} is for applications. */
// The modules that get such packages are compiled later.
@SuppressWarnings("module") module org.restorej.redset {
    requires transitive org.restorej.core;

    // Only the command line needs these.
    requires static com.fasterxml.jackson.databind;
    requires static info.picocli;
    requires static transitive org.jspecify;

    exports org.restorej.redset;

    exports org.restorej.redset.cli to org.restorej.cli;

    opens org.restorej.redset.cli to info.picocli;

    provides org.restorej.internal.training.TrainingPart with org.restorej.redset.training.RedsetTraining;
}
