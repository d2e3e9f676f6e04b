package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.mpi.FailureProgram.Way;
import org.restorej.comm.mpi.MistakenProgram.Mistake;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** Ranks that end by themselves. */
class RankEndIT {
    private static void survivesEach(List<Way> ways) {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(FailureProgram.class, ways.size() + 1).on(MpiFlavour.ULFM)
                .arguments(ways.stream().map(Way::name).toArray(String[]::new)).run().requireSuccess();
        for (int rank = 0; rank < ways.size(); rank++) {
            String output = result.output(rank);
            assertFalse(output.contains("survived"), result::describe);
            switch (ways.get(rank)) {
                case THROW -> assertTrue(output.contains("rank " + rank + ": exception in thread \"main\" "
                        + "java.lang.IllegalStateException: " + FailureProgram.MISTAKE), result::describe);
                case EXHAUST -> assertTrue(output.contains("rank " + rank + ": exception in thread \"main\" "
                        + "java.lang.OutOfMemoryError"), result::describe);
                default -> assertFalse(output.contains("exception in thread"), result::describe);
            }
        }
        String absent = IntStream.range(0, ways.size()).boxed().toList().toString();
        assertTrue(result.output(ways.size()).contains("survived without " + absent), result::describe);
    }

    @Test
    void othersGoOnWithoutARankThatEndsByItself() {
        survivesEach(List.of(Way.THROW, Way.EXIT_WELL));
    }

    @Deep
    @Test
    void othersGoOnWithoutARankThatEndsByItselfWhateverTheWay() {
        survivesEach(List.of(Way.EXIT, Way.EXHAUST, Way.THROW, Way.HALT, Way.EXIT_WELL, Way.FINISH));
    }

    @Deep
    @Test
    void aRankThatWaitsBeyondTheLimitSaysInWhatAndHasFailedToTheOthers() {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(WaitLimitProgram.class, 2).on(MpiFlavour.ULFM)
                .environment("RESTOREJ_WAIT_LIMIT_SECONDS", "2").run().requireSuccess();
        assertTrue(result.output(1).contains("rank 1: has waited for 2 s in agree"), result::describe);
        assertTrue(result.output(0).contains("survived without [1]"), result::describe);
    }

    @Test
    void aJobThatNobodySurvivesFails() {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(FailureProgram.class, 1).on(MpiFlavour.ULFM).arguments(Way.HALT.name()).run();
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(result.log().contains("all ranks have failed"), result::describe);
    }

    @Deep
    @Test
    void aJobInWhichARankFailsWhileMpiStartsEndsWithAMessage() {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(MistakenProgram.class, 3).on(MpiFlavour.ULFM)
                .arguments(Mistake.FAILURE_IN_INIT.name()).run();
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(result.log().contains("a rank has failed before it came out of MPI_Init"), result::describe);
        assertFalse(result.output(0).contains("came out"), result::describe);
    }

    @Deep
    @Test
    void aRankEndsWithWhatHasStartedIt(@TempDir Path folder) throws Exception {
        // Not a pipe: Java closes its end with the shell's.
        Path output = folder.resolve("output");
        // Something after the JVM, so that the shell stays.
        Process shell = new ProcessBuilder("sh", "-c", "\"$@\"; exit 0", "sh",
                ProcessRun.JAVA, "--enable-native-access=ALL-UNNAMED",
                "-cp", ProjectFiles.classPath(), LauncherGoneProgram.class.getName()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        while (shell.isAlive() && !Files.readString(output).contains("pid")) {
            Thread.sleep(10);
        }
        ProcessHandle rank = shell.descendants().findFirst().orElseThrow();
        shell.destroyForcibly();
        rank.onExit().get(1, TimeUnit.MINUTES);
        String said = Files.readString(output);
        assertTrue(said.contains("this rank ends, since what has started it is gone: process " + shell.pid()), said);
    }

    @Test
    void whatAllRanksThrowAlikeIsPrintedInFullOnce() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(MistakenProgram.class, 4).arguments(Mistake.ALL_THROW.name()).run();
        assertEquals(1, result.exitCode(), result::describe);
        assertEquals(1, result.outputs().stream().filter(output -> output.contains("\tat ")).count(),
                result::describe);
    }

    @Deep
    @Test
    void aJobThatARankHasAbortedEndsAlsoWhereItsLauncherHangs() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(MistakenProgram.class, 2).arguments(Mistake.STUCK_LAUNCHER.name()).run();
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(result.log().contains("a rank has aborted the job, and mpirun has not ended within 10 s"),
                result::describe);
    }

    @Test
    void refusesThreadsUnderUlfmWhereItsAgreementsAreWrongWithThem() {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(MistakenProgram.class, 2).on(MpiFlavour.ULFM).arguments(Mistake.THREADS.name())
                .run();
        for (int rank = 0; rank < 2; rank++) {
            assertTrue(result.output(rank).contains("refused: the thread level must be at most SERIALIZED under ULFM"),
                    result::describe);
        }
    }

    @Test
    void saysThatTheProgramMustLeaveInitialisationToTheLibrary() {
        MpiFlavour.BINDINGS.require();
        MpiResult result = MpiJob.of(InitialisedProgram.class, 1).on(MpiFlavour.BINDINGS).run().requireSuccess();
        assertTrue(result.output(0).contains("refused: the program has initialised MPI itself"), result::describe);
    }
}
