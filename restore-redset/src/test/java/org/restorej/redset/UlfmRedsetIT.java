package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** Redset on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmRedsetIT {
    private static final int RANKS = 4;
    private static final int LONGEST_DELAY_MILLIS = 300;

    @Deep // Every day where failures are simulated.
    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return withoutFailures(MpiFlavour.ULFM).tests();
    }

    @TestFactory
    Stream<DynamicTest> survivesKilledRanks() {
        return new ContractJobs(MpiFlavour.ULFM).addWithFailures(new FailingRedsetPrograms(), 4).firstOfEachSuite();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> survivesKilledRanksInEveryProgram() {
        return withFailures(MpiFlavour.ULFM).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_KILLING,
                flavour -> Stream.concat(withoutFailures(flavour).tests(), withFailures(flavour).tests()));
    }

    private static ContractJobs withoutFailures(MpiFlavour flavour) {
        return new ContractJobs(flavour).add(new RedsetPrograms(), 4).add(new RangeCheckpointPrograms(), 4);
    }

    private static ContractJobs withFailures(MpiFlavour flavour) {
        return new ContractJobs(flavour).addWithFailures(new FailingRedsetPrograms(), 4)
                .addWithFailures(new FailingRangeCheckpointPrograms(), 4);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void survivesAKillInTheMiddle(int which) throws InterruptedException {
        MpiFlavour.ULFM.require();
        Random random = new Random(Seed.of("kill in the middle, " + which));
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
