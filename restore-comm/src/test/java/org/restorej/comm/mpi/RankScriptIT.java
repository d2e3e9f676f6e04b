package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;

/** What {@code bin/lib/rank} makes of the end of a rank. */
class RankScriptIT {
    private static final int KILLED = 128 + 9;

    @TempDir
    private Path folder;

    private int exitCodeOf(String program) throws IOException, InterruptedException {
        return ProcessRun.script("lib/rank", folder.toString(), "sh", "-c", program).exitCode();
    }

    @Test
    void aRankThatHasLeftInOrderKeepsItsExitCode() throws Exception {
        for (int exitCode : new int[]{0, 5, 255}) {
            Files.deleteIfExists(folder.resolve("ended"));
            assertEquals(exitCode, exitCodeOf("echo finished > $RESTOREJ_FINISHED; exit " + exitCode));
            assertEquals(true, Files.exists(folder.resolve("ended")), "exit code " + exitCode);
        }
    }

    @Test
    void anyOtherExitCodeIsADeathByASignal() throws Exception {
        for (int exitCode : new int[]{1, 3, 255}) {
            assertEquals(KILLED, exitCodeOf("exit " + exitCode));
            assertEquals(false, Files.exists(folder.resolve("ended")), "exit code " + exitCode);
        }
    }
}
