/** Tests programs with a failure at every communication call. */
module org.restorej.testing {
    requires transitive org.restorej.comm;
    requires static transitive org.jspecify;

    exports org.restorej.faults;
}
