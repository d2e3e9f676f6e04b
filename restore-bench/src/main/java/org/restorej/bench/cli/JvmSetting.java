package org.restorej.bench.cli;

import java.util.List;

/** How the JVMs of ranks can be started. */
enum JvmSetting {
    /** As {@code bin/mpirun-java} starts them. */
    DEFAULT("default"),
    /** As it did before it made caches and set thresholds for compilers: as the JDK starts. */
    PLAIN("as the JDK starts", "-Xshare:auto", JvmSetting.COMPILE_AFTER_5000, JvmSetting.COMPILE_AFTER_15000),
    /** The first compiler only. */
    FIRST_COMPILER("C1 only", "-Xshare:auto", "-XX:TieredStopAtLevel=1"),
    /** The cache only. */
    CACHE("AOT cache only", JvmSetting.COMPILE_AFTER_5000, JvmSetting.COMPILE_AFTER_15000),
    /** The cache and the first compiler only. */
    CACHE_AND_FIRST_COMPILER("AOT cache and C1 only", "-XX:TieredStopAtLevel=1");

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

    /** Whether it is how jobs start, now or before. */
    boolean isMain() {
        return this == DEFAULT || this == PLAIN;
    }

    List<String> vmOptions() {
        return vmOptions;
    }
}
