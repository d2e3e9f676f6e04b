package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** Jobs on MPI that end before they are complete, and jobs that go on from their files. */
class LoopRestartIT {
    private static final int RANKS = 4;
    private static final int UNTIL = 6;

    /** Where also an MPI in a root folder of its own sees it. */
    private static Path newFolder() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target", "mpi-jobs").toAbsolutePath()),
                "LoopRestartIT-");
    }

    private static MpiResult run(MpiFlavour flavour, int ranks, Path folder, String happens) {
        return MpiJob.of(LoopRestartProgram.class, ranks).on(flavour)
                .arguments(folder.toString(), Integer.toString(UNTIL), happens)
                .environment("RESTOREJ_JOB_STATE", folder.resolve("state").toString()).run();
    }

    private static void assertGoesOn(MpiFlavour flavour, int ranks, Path folder, long from) {
        MpiResult result = run(flavour, ranks, folder, "nothing").requireSuccess();
        String expected = "from " + from + " to " + LoopJob.expected(UNTIL);
        for (int rank = 0; rank < ranks; rank++) {
            assertTrue(result.output(rank).contains(expected), result::describe);
        }
        assertTrue(result.output(0).contains("going on from iteration " + from), result::describe);
    }

    private static void endsByAKill(MpiFlavour flavour, int ranksAfterwards) throws IOException {
        flavour.require();
        Path folder = newFolder();
        MpiResult killed = run(flavour, RANKS, folder, "kill");
        assertNotEquals(0, killed.exitCode(), killed::describe);
        assertGoesOn(flavour, ranksAfterwards, folder, LoopRestartProgram.ITERATION);
    }

    /** A kill ends the job of an MPI that survives no failures; the next one goes on, here on fewer ranks. */
    @Test
    void anotherJobGoesOnAfterAKill() throws IOException {
        endsByAKill(MpiFlavour.OPEN_MPI, RANKS - 1);
    }

    /** What an earlier job has saved is none of a job that begins anew, also where that has saved nothing yet. */
    @Deep
    @Test
    void aJobThatBeginsAnewDoesSoAgainWhereItIsStartedAgainBeforeItsFirstCheckpoint() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path folder = newFolder();
        LocalCluster.run(RANKS, new LoopJob(UNTIL - 1).in(LoopFiles.in(folder, "job"))::run);
        try (MpiJob job = MpiJob.of(LoopRestartProgram.class, RANKS).restarts(1)
                .arguments(folder.toString(), Integer.toString(UNTIL), "anew").start()) {
            MpiResult result = job.await().requireSuccess();
            assertTrue(result.log().contains("is started again"), result::describe);
            assertTrue(result.output(0).contains("from 0 to " + LoopJob.expected(UNTIL)), result::describe);
        }
    }

    @Deep
    @ParameterizedTest
    @EnumSource(value = MpiFlavour.class, names = {"MPICH"})
    void anotherJobGoesOnAfterAKillOnOtherMpis(MpiFlavour flavour) throws IOException {
        endsByAKill(flavour, RANKS + 1);
    }

    /** Without replicas the survivors have lost rows, and end to be continued. */
    @Deep
    @Test
    void survivorsThatHaveLostBlocksEndToBeContinued() throws IOException {
        MpiFlavour.ULFM.require();
        Path folder = newFolder();
        MpiResult lost = run(MpiFlavour.ULFM, RANKS, folder, "kill");
        assertEquals(Mpi.EXIT_CODE_CONTINUED, lost.exitCode(), lost::describe);
        assertEquals("lost " + LoopRestartProgram.ITERATION + "\n", Files.readString(folder.resolve("state")));
        assertGoesOn(MpiFlavour.ULFM, RANKS, folder, LoopRestartProgram.ITERATION);
    }

    @Deep
    @Test
    void aStopFileEndsTheJobWithExitCode75() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path folder = newFolder();
        MpiResult stopped = run(MpiFlavour.OPEN_MPI, RANKS, folder, "stop");
        assertEquals(Mpi.EXIT_CODE_CONTINUED, stopped.exitCode(), stopped::describe);
        assertEquals("stopped 4\n", Files.readString(folder.resolve("state")));
        assertGoesOn(MpiFlavour.OPEN_MPI, RANKS, folder, LoopRestartProgram.ITERATION + 1);
    }

    @Deep
    @Test
    void aJobWhoseTimeIsOverEndsWithExitCode75() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path folder = newFolder();
        MpiResult over = run(MpiFlavour.OPEN_MPI, RANKS, folder, "over");
        assertEquals(Mpi.EXIT_CODE_CONTINUED, over.exitCode(), over::describe);
        assertGoesOn(MpiFlavour.OPEN_MPI, RANKS, folder, 1);
    }

    /** Started again, the job throws it once more: that ends it. */
    @Test
    void anExceptionInTheSameIterationEndsAJobThatIsStartedAgain() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        try (MpiJob job = MpiJob.of(LoopRestartProgram.class, RANKS).restarts(3)
                .arguments(newFolder().toString(), Integer.toString(UNTIL), "throw").start()) {
            MpiResult result = job.await();
            assertNotEquals(0, result.exitCode(), result::describe);
            for (String once : List.of("exception in iteration " + LoopRestartProgram.ITERATION
                    + "): it is started again, 1 of 3",
                    "has thrown an exception in iteration " + LoopRestartProgram.ITERATION + " again")) {
                assertEquals(1, result.log().lines().filter(line -> line.contains(once)).count(), result::describe);
            }
        }
    }

    @Deep
    @Test
    void anExceptionThatTheJobHasSurvivedIsToldNoMore() throws IOException {
        MpiFlavour.ULFM.require();
        Path folder = newFolder();
        MpiResult result = run(MpiFlavour.ULFM, RANKS, folder, "throw and end");
        assertTrue(result.output(0).contains("to " + LoopJob.expected(UNTIL)), result::describe);
        assertFalse(Files.exists(folder.resolve("state")));
    }
}
