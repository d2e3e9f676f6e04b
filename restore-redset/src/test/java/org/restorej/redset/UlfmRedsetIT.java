package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

/** Redset on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmRedsetIT {
    private static final int RANKS = 4;
    private static final int LONGEST_DELAY_MILLIS = 300;

    private static final ContractJobs JOBS = new ContractJobs(MpiFlavour.ULFM).add(new RedsetPrograms(), 4)
            .add(new RangeCheckpointPrograms(), 4).addWithDeaths(new FailingRedsetPrograms(), 4)
            .addWithDeaths(new FailingRangeCheckpointPrograms(), 4);

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return JOBS.tests(RedsetPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return JOBS.tests(FailingRedsetPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> checkpointsOfBlocksKeepTheirPromises() {
        return JOBS.tests(RangeCheckpointPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> checkpointsOfBlocksKeepTheirPromisesWhenProcessesDie() {
        return JOBS.tests(FailingRangeCheckpointPrograms.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
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
