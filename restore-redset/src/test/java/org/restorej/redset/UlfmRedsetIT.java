package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Depth;

/** Redset on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmRedsetIT {
    private static final int RANKS = 4;
    private static final int LONGEST_DELAY_MILLIS = 300;

    private static final String KILLS_SEED = "restorej.kills.seed";

    /** The suites in which nobody dies take turns: on Open MPI without ULFM both are run every day. */
    private static final List<String> WITHOUT_DEATHS = Depth.some(
            List.of(RedsetPrograms.class.getSimpleName(), RangeCheckpointPrograms.class.getSimpleName()), 1,
            KILLS_SEED);

    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return MpiFlavour.onEach(MpiFlavour.killing(), flavour -> jobs(flavour).tests());
    }

    private static ContractJobs jobs(MpiFlavour flavour) {
        ContractJobs jobs = new ContractJobs(flavour).addWithDeaths(new FailingRedsetPrograms(), 4)
                .addWithDeaths(new FailingRangeCheckpointPrograms(), 4);
        Stream.of(new RedsetPrograms(), new RangeCheckpointPrograms())
                .filter(suite -> WITHOUT_DEATHS.contains(suite.getClass().getSimpleName()))
                .forEach(suite -> jobs.add(suite, 4));
        return jobs;
    }

    static List<Long> seeds() {
        return Depth.some(List.of(1L, 2L), 1, KILLS_SEED);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void survivesAKillInTheMiddle(long seed) throws InterruptedException {
        MpiFlavour.ULFM.require();
        Random random = new Random(seed);
        int victim = random.nextInt(RANKS);
        try (MpiJob job = MpiJob.of(RedsetKillProgram.class, RANKS).on(MpiFlavour.ULFM).start()) {
            for (int rank = 0; rank < RANKS; rank++) {
                job.awaitOutput(rank, RedsetKillProgram.WORKING);
            }
            Thread.sleep(random.nextInt(LONGEST_DELAY_MILLIS));
            job.kill(victim);
            MpiResult result = job.await().requireSuccess();
            assertEquals(Set.of(victim), result.killedRanks());
            for (int rank = 0; rank < RANKS; rank++) {
                String expected = RedsetKillProgram.RECOVERED + " [" + victim + "]";
                assertTrue(rank == victim || result.output(rank).contains(expected), result::describe);
            }
        }
    }
}
