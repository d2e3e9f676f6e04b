package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** An example in a job that ends by a failure, and is started again. */
class ExampleRestartIT {
    @Deep
    @Test
    void kMeansGoesOnFromItsFilesWithTheSameResult(@TempDir Path folder) throws IOException, InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        StringBuilder expected = new StringBuilder();
        LocalCluster.run(1, world -> KMeans.run(world, Optional.empty(), -1, 20,
                text -> expected.append(text).append(System.lineSeparator())));
        ProcessRun run = ProcessRun.script("mpirun-java", "--mpi", "openmpi", "-n", "3", "--restarts", "1", "--cp",
                ProjectFiles.classPath(), EndedKMeans.class.getName(), folder.toString());
        assertEquals(0, run.exitCode(), run::describe);
        assertEquals(expected.toString(), run.output());
        assertTrue(run.errors().contains("it is started again, 1 of 1"), run::describe);
        assertTrue(run.errors().contains("going on from iteration 10, saved"), run::describe);
    }
}
