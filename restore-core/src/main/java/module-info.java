/**
 * The replicated store, and where data lies. Communicators are those of {@code org.restorej.comm}.
 *
 * <p>
 * Exports what programs may rely on. Of the other packages each module of this project gets what it uses.
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
