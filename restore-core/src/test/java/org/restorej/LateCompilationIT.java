package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** Ranks compile the library's methods later than the application's: told by their JVM, which logs what it compiles. */
class LateCompilationIT {
    private static final List<String> LATE_PACKAGES = List.of("org.restorej.internal", "org.restorej.comm",
            "org.restorej.placement", "org.restorej.block", "it.unimi.dsi", "java.lang.foreign", "java.lang.invoke",
            "jdk.internal.foreign", "jdk.internal.misc");

    private static boolean isCompiled(MpiResult result, String method) {
        return result.describe().lines().anyMatch(line -> line.contains("[jit") && line.contains(method + " "));
    }

    private static MpiResult run(String... vmOptions) {
        MpiFlavour.OPEN_MPI.require();
        MpiJob.Launch launch = MpiJob.of(LateCompilationProgram.class, 1).on(MpiFlavour.OPEN_MPI)
                .vmOption("-Xlog:jit+compilation=debug:stdout:tags").vmOption("-XX:-BackgroundCompilation");
        for (String option : vmOptions) {
            launch.vmOption(option);
        }
        return launch.run().requireSuccess();
    }

    private static void requireCompiled(MpiResult result, boolean library, boolean application) {
        assertEquals(application, isCompiled(result, "LateCompilationProgram::contains"), result::describe);
        assertEquals(library, isCompiled(result, "org.restorej.block.BlockRange::contains"), result::describe);
    }

    private static List<String> scalings(MpiResult result) {
        return result.describe().lines().filter(line -> line.startsWith("option -XX:CompileCommand="))
                .map(line -> line.replaceFirst("[^=]*=", "")).toList();
    }

    @Test
    void theLibraryIsCompiledAfterMoreCallsThanTheApplication() {
        MpiResult result = run();
        requireCompiled(result, false, true);
        List<String> expected = new ArrayList<>(List.of("quiet"));
        for (String name : LATE_PACKAGES) {
            expected.add("CompileThresholdScaling," + name + ".*::*,10.0");
        }
        expected.add("CompileThresholdScaling,org.restorej.redset.internal.*::*,5.0");
        // Computes where ISA-L is absent.
        expected.add("CompileThresholdScaling,org.restorej.internal.erasure.*::*,1.0");
        assertEquals(expected, scalings(result));
    }

    @Test
    void anOptionOfTheUsersDecidesInstead() {
        decideByOption("-XX:CompileThresholdScaling=1.0");
    }

    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"-XX:Tier3InvocationThreshold=200", "-XX:Tier4CompileThreshold=15000"})
    void anotherOptionOfTheUsersDecidesInstead(String option) {
        decideByOption(option);
    }

    private static void decideByOption(String option) {
        MpiResult result = run(option);
        requireCompiled(result, true, true);
        assertEquals(List.of(), scalings(result));
    }

    @Deep
    @Test
    void aCommandOfTheUsersDecidesInstead() {
        assertEquals(List.of("CompileThresholdScaling,org.restorej.*::*,1.0"),
                scalings(run("-XX:CompileCommand=CompileThresholdScaling,org.restorej.*::*,1.0")));
    }

    @Deep
    @Test
    void whoStaysWithTheFirstCompilerKeepsIt() {
        requireCompiled(run("-XX:TieredStopAtLevel=1"), false, true);
    }
}
