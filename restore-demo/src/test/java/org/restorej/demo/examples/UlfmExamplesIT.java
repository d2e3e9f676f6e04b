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
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** The examples in MPI jobs whose ranks are killed: the result stays that of one thread, bit by bit. Every day on threads. */
@Deep
class UlfmExamplesIT {
    private static final int RANKS = 8;

    /** As many as the examples have replicas. */
    private static final int LEFT = 3;

    /** Of each example, each with five kills. */
    private static final int JOBS = 4;

    private static final long SEED = Seed.of(UlfmExamplesIT.class);

    @TestFactory
    Stream<DynamicTest> killsDontChangeTheResult() {
        return Stream.of(Example.values()).flatMap(example -> IntStream.rangeClosed(1, JOBS).mapToObj(
                job -> DynamicTest.dynamicTest(example + ", job " + job, () -> kill(example, SEED + job))));
    }

    private static void kill(Example example, long seed) {
        MpiFlavour.ULFM.require();
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
