package org.restorej.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.CommandRun;

/** How a job is asked to end. */
class StopCommandTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void leavesAFileInAFolderOfCheckpoints() throws IOException {
        Files.createDirectory(folder.resolve("checkpoint.7"));
        CommandRun run = CommandRun.of("stop", folder.toString());
        assertEquals(0, run.exitCode(), run::errors);
        assertTrue(Files.exists(folder.resolve("stop")), run.output());
        assertTrue(run.output().contains("made " + folder.resolve("stop"))
                && run.output().contains("a running job whose rank 0 sees this folder")
                && run.output().contains("no job that begins later"), run.output());
    }

    @Test
    void refusesTheFolderOfBlocksThatDoNotChange() throws IOException {
        Path constant = folder.resolve("job.constant");
        Files.createDirectories(constant.resolve("checkpoint.7"));
        CommandRun run = CommandRun.of("stop", constant.toString());
        assertEquals(2, run.exitCode(), run::errors);
        assertTrue(run.errors().contains("FOLDER must be the job's, job"), run::errors);
    }

    @Test
    void refusesOtherFolders() throws IOException {
        for (Path other : new Path[]{folder, folder.resolve("absent")}) {
            CommandRun run = CommandRun.of("stop", other.toString());
            assertEquals(2, run.exitCode(), run::errors);
            assertTrue(run.errors().contains("FOLDER must have checkpoints of a job in it"), run::errors);
        }
        assertEquals(2, CommandRun.of("stop").exitCode());
    }
}
