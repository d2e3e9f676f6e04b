package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/lib/rank} makes of the end of a rank. */
class RankScriptIT {
    private static final int KILLED = 128 + 9;

    @TempDir
    private Path folder;

    private int exitCodeOf(String program) throws IOException, InterruptedException {
        String script = Path.of(System.getProperty("restorej.root"), "bin", "lib", "rank").toString();
        return new ProcessBuilder(script, folder.toString(), "sh", "-c", program).start().waitFor();
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
