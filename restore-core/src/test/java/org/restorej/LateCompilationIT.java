package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

/** Ranks compile the library's methods later than the application's: told by their JVM, which logs what it compiles. */
class LateCompilationIT {
    private static boolean isCompiled(MpiResult result, String method) {
        return result.describe().lines().anyMatch(line -> line.contains("[jit") && line.contains(method + " "));
    }

    private static void requireCompiled(boolean library, boolean application, String... vmOptions) {
        MpiFlavour.OPEN_MPI.require();
        MpiJob.Launch launch = MpiJob.of(LateCompilationProgram.class, 1).on(MpiFlavour.OPEN_MPI)
                .vmOption("-Xlog:jit+compilation=debug:stdout:tags").vmOption("-XX:-BackgroundCompilation");
        for (String option : vmOptions) {
            launch.vmOption(option);
        }
        MpiResult result = launch.run().requireSuccess();
        assertEquals(application, isCompiled(result, "LateCompilationProgram::contains"), result::describe);
        assertEquals(library, isCompiled(result, "org.restorej.block.BlockRange::contains"), result::describe);
    }

    @Test
    void theLibraryIsCompiledAfterMoreCallsThanTheApplication() {
        requireCompiled(false, true);
    }

    @Test
    void anOptionOfTheUsersDecidesInstead() {
        requireCompiled(true, true, "-XX:CompileThresholdScaling=1.0");
    }
}
