package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;

/** What {@code bin/lib/rank} tells the process that it becomes. */
class RankScriptIT {
    @TempDir
    private Path folder;

    @Test
    void theRankIsTheProcessThatTheLauncherWatches() throws Exception {
        ProcessRun run = ProcessRun.script("lib/rank", folder.toString(), "sh", "-c",
                "test \"$RESTOREJ_RANK\" = '" + folder + "'/rank.$$ && echo came > \"$RESTOREJ_RANK\"; exit 5");
        assertEquals(5, run.exitCode(), run::describe);
        try (var files = Files.list(folder)) {
            Path only = files.findFirst().orElseThrow();
            assertEquals("came\n", Files.readString(only), only::toString);
        }
    }

    @Test
    void withoutTheFolderNothingIsCreated() throws Exception {
        Path elsewhere = folder.resolve("elsewhere");
        ProcessRun run = ProcessRun.script("lib/rank", elsewhere.toString(), "sh", "-c",
                "test \"$RESTOREJ_RANK\" = '" + elsewhere + "'/rank.$$");
        assertEquals(0, run.exitCode(), run::describe);
        assertFalse(Files.exists(elsewhere));
    }
}
