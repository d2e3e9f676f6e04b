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

    @Test
    void jobsGrowUpToAllNodes() throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.script(Map.of("RESTOREJ_PROJECT", project.toString(), "SLURM_JOB_ID", "7",
                "SLURM_NTASKS", "12", "SLURM_JOB_NUM_NODES", "3"), "bench.slurm", "--last");
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().contains("<--pes><4,8,12>"), run::describe);
        assertTrue(run.output().endsWith("<--last>"), run::describe);
    }
}
