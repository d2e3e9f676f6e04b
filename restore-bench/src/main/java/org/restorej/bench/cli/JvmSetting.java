package org.restorej.bench.cli;

import java.util.List;

/** How the JVMs of ranks can be started. */
enum JvmSetting {
    /** As {@code bin/mpirun-java} starts them. */
    DEFAULT("default"),
    /** As it did before it made caches and set thresholds for compilers: as the JDK starts. */
    PLAIN("as the JDK starts", "-Xshare:auto", JvmSetting.COMPILE_AFTER_5000, JvmSetting.COMPILE_AFTER_15000);

    /** The JDK's own thresholds for its second compiler. */
    private static final String COMPILE_AFTER_5000 = "-XX:Tier4InvocationThreshold=5000";
    private static final String COMPILE_AFTER_15000 = "-XX:Tier4CompileThreshold=15000";

    private final String text;
    @SuppressWarnings("ImmutableEnumChecker") // An unmodifiable list.
    private final List<String> vmOptions;

    JvmSetting(String text, String... vmOptions) {
        this.text = text;
        this.vmOptions = List.of(vmOptions);
    }

    /** For people. */
    String text() {
        return text;
    }

    List<String> vmOptions() {
        return vmOptions;
    }
}
