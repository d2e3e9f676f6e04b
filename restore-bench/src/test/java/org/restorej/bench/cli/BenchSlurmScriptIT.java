package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;

/** What {@code bin/bench.slurm} passes on; Slurm and {@code bin/bench} are replaced. */
class BenchSlurmScriptIT {
    @TempDir
    private Path project = Path.of("");

    @BeforeEach
    void makeProject() throws IOException {
        Path bench = Files.createDirectory(project.resolve("bin")).resolve("bench");
        Files.writeString(bench, "#!/bin/bash\nprintf '<%s>' \"$@\"\n");
        Files.setPosixFilePermissions(bench, PosixFilePermissions.fromString("rwx------"));
    }

    private ProcessRun task(int number, String tasks) throws IOException, InterruptedException {
        Path file = Files.writeString(project.resolve("tasks"), tasks);
        return ProcessRun.script(Map.of("RESTOREJ_PROJECT", project.toString(), "RESTOREJ_TASKS", file.toString(),
                "SLURM_JOB_ID", "7", "SLURM_ARRAY_JOB_ID", "7", "SLURM_ARRAY_TASK_ID", Integer.toString(number),
                "SLURM_NTASKS", "12", "SLURM_JOB_NUM_NODES", "3"), "bench.slurm", "--last");
    }

    @Test
    void jobsGrowUpToAllNodes() throws IOException, InterruptedException {
        ProcessRun run = task(1, "--only Pull\n");
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().contains("<--pes><4,8,12>"), run::describe);
    }

    @Test
    void theLastLineNeedsNoLineBreak() throws IOException, InterruptedException {
        ProcessRun run = task(2, "--only Pull\n--only Submit");
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().endsWith("<--only><Submit><--last>"), run::describe);
    }

    @Test
    void aTaskWithoutALineIsRefused() throws IOException, InterruptedException {
        ProcessRun run = task(3, "--only Pull\n--only Submit\n");
        assertEquals(2, run.exitCode(), run::describe);
        assertTrue(run.errors().contains("RESTOREJ_TASKS: no line 3 in"), run::describe);
    }
}
