package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** Jobs of which ranks are killed at any time, start after start: they come to what a job without failures comes to. */
class RestartStormIT {
    private static final int RANKS = 3;
    private static final int ITERATIONS_PER_KILL = 25;
    private static final int DEEP_KILLS = 28;
    private static final int KILLS_PER_JOB = 6;

    @Deep
    @Test
    void aJobThatIsKilledTwiceComesToTheSame() throws IOException {
        assertEquals(2, kill(MpiFlavour.OPEN_MPI, 2, 0));
    }

    /** With {@link RestartOnNodesIT} a hundred kills in all. */
    @Deep
    @Timeout(1800)
    @ParameterizedTest
    @EnumSource(value = MpiFlavour.class, names = {"OPEN_MPI", "MPICH", "ULFM"})
    void jobsThatAreKilledAgainAndAgainComeToTheSame(MpiFlavour flavour) throws IOException {
        int kills = 0;
        for (int job = 1; kills < DEEP_KILLS; job++) {
            kills += kill(flavour, Math.min(KILLS_PER_JOB, DEEP_KILLS - kills), job);
        }
    }

    /** Returns how many kills there were: under ULFM survivors may end the job before there are as many. */
    private static int kill(MpiFlavour flavour, int kills, int job) throws IOException {
        flavour.require();
        boolean survives = flavour == MpiFlavour.ULFM;
        long seed = Seed.of("storm " + flavour + " " + job);
        // Where also an MPI in a root folder of its own sees it.
        Path folder = Files.createTempDirectory(
                Files.createDirectories(Path.of("target", "mpi-jobs").toAbsolutePath()), "RestartStormIT-");
        long until = (long) kills * ITERATIONS_PER_KILL;
        try (MpiJob running = MpiJob.of(RestartStormProgram.class, RANKS).on(flavour).restarts(kills)
                .timeout(Duration.ofMinutes(8)).arguments(folder.toString(), Long.toString(until),
                        // Without replicas survivors have lost blocks, and the job ends.
                        survives ? "1" : "2", Long.toString(seed), Integer.toString(kills))
                .start()) {
            MpiResult result = running.await().requireSuccess();
            String expected = "it has come to " + LoopJob.expected(until);
            assertTrue(result.outputs().stream().anyMatch(output -> output.contains(expected)), result::describe);
            result.outputs().stream().flatMap(String::lines).filter(line -> line.startsWith("it has come to"))
                    .forEach(line -> assertEquals(expected, line, Seed.option()));
            assertTrue(IntStream.range(0, kills).noneMatch(start -> running.report("survived-" + start).isPresent()));
            int killed = (int) IntStream.range(0, kills).filter(start -> running.report("kill-" + start).isPresent())
                    .count();
            long restarts = result.log().lines().filter(line -> line.contains("is started again")).count();
            assertTrue(survives ? killed >= 1 && restarts <= killed : killed == kills && restarts == kills,
                    () -> killed + " kills, " + restarts + " restarts, " + Seed.option() + "\n" + result.describe());
            return killed;
        }
    }
}
