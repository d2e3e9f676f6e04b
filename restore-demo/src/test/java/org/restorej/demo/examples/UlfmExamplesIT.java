package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Depth;

/** The examples in MPI jobs whose ranks are killed: the result stays that of one thread, bit by bit. */
class UlfmExamplesIT {
    private static final int RANKS = 8;

    /** As many as the examples have replicas. */
    private static final int LEFT = 3;

    /** Ten jobs with five kills each. */
    private static final int DEEP_JOBS = 10;

    private static final String KILLS_SEED = "restorej.kills.seed";
    private static final long SEED = Depth.seed(KILLS_SEED);

    @TestFactory
    Stream<DynamicTest> killsDontChangeTheResult() {
        MpiFlavour.ULFM.require();
        int jobs = Depth.trials(1, DEEP_JOBS);
        return Depth.some(List.of(Example.values()), 1, KILLS_SEED).stream()
                .flatMap(example -> IntStream.range(0, jobs).mapToObj(
                        job -> DynamicTest.dynamicTest(example + ", job " + job,
                                () -> kill(example, SEED * DEEP_JOBS + job))));
    }

    private static void kill(Example example, long seed) {
        try (MpiJob job = MpiJob.of(ExampleKillProgram.class, RANKS).on(MpiFlavour.ULFM)
                .arguments(example.name(), Long.toString(seed), Integer.toString(LEFT)).start()) {
            MpiResult result = job.await().requireSuccess();
            List<String> ends = IntStream.range(0, RANKS)
                    .mapToObj(rank -> job.report(ExampleKillProgram.endReport(rank))).flatMap(Optional::stream)
                    .toList();
            // Who reports has found the right result in each round, and counts who is gone.
            assertEquals(Collections.nCopies(LEFT, "OK, " + (RANKS - LEFT) + " killed"), ends, result::describe);
        }
    }
}
