package org.restorej.redset;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.erasure.ErasureKernels;

/** Where nothing is coded no C library is loaded, and the JVM doesn't warn of it. */
class KernelUseTest {
    private static final String WARNING = "WARNING";

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({"SINGLE, false", "PARTNER, false", "XOR, true"})
    void aLoopInFilesLoadsTheKernelWhereItsSchemeComputes(String scheme, boolean loads) throws Exception {
        for (int until = 2; until <= 3; until++) {
            ProgramRun run = ProgramRun.inOwnJvm(LoopProgram.class,
                    builder -> builder.command().remove("--enable-native-access=ALL-UNNAMED"), scheme, folder, until)
                    .assertExit(0).assertSays("done to " + until);
            if (loads && ErasureKernels.isalAbsence().isEmpty()) {
                run.assertSays(WARNING);
            } else {
                run.assertSaysNot(WARNING);
            }
        }
    }

    /** A loop of four ranks that are threads; each is a node. */
    static final class LoopProgram {
        private LoopProgram() {}

        /** Runs it. */
        public static void main(String[] arguments) {
            Scheme scheme = switch (arguments[0]) {
                case "SINGLE" -> Scheme.single();
                case "PARTNER" -> Scheme.partner(1);
                default -> Scheme.xor();
            };
            int until = Integer.parseInt(arguments[2]);
            LocalCluster.run(4, world -> new LoopJob(until).in(LoopFiles.in(RedundancyConfiguration.of(
                    new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, Path.of(arguments[1]), scheme, 4)),
                    "job").host("node" + world.rank())).run(world));
            System.out.println("done to " + until);
        }
    }
}
