package org.restorej.redset;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.restorej.ReStore;
import org.restorej.comm.Communicator;
import org.restorej.internal.erasure.ErasureKernels;

/** Calls of C go through another module, which a user may have forgotten to allow. */
class IsalDeniedTest {
    private static final String REDSET = "org.restorej.redset";
    private static final String CORE = "org.restorej.core";

    @Test
    void isalIsAbsentWhereTheModuleThatCallsItIsDenied() throws Exception {
        Assumptions.assumeTrue(ErasureKernels.isalAbsence().isEmpty(),
                () -> "################ NOT TESTED: " + ErasureKernels.isalAbsence());
        kernelWhereAllowed(CORE).assertExit(0).assertSays("kernel swar",
                "Illegal native access from module org.restorej.comm");
        kernelWhereAllowed(CORE + ",org.restorej.comm").assertExit(0).assertSays("kernel isal");
    }

    private static ProgramRun kernelWhereAllowed(String modules) throws Exception {
        String modulePath = Stream
                .of(Redset.class, ReStore.class, Communicator.class, LongArrayList.class, NullMarked.class)
                .map(IsalDeniedTest::codeOf).collect(Collectors.joining(File.pathSeparator));
        return ProgramRun.inOwnJvm(KernelProgram.class, builder -> builder.command(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--illegal-native-access=deny",
                "--enable-native-access=" + modules, "--module-path", modulePath,
                "--patch-module", REDSET + "=" + codeOf(IsalDeniedTest.class),
                "--module", REDSET + "/" + KernelProgram.class.getName())));
    }

    private static String codeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Says which kernel it would compute with, and why. */
    static final class KernelProgram {
        private KernelProgram() {}

        /** Runs it. */
        public static void main(String[] arguments) {
            System.out.println("kernel " + ErasureKernels.preferred().name() + " " + ErasureKernels.isalAbsence());
        }
    }
}
