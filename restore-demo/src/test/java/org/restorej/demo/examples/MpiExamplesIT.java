package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** The examples as a user starts them under MPI: a rank fails in each, and one of the others tells the result. */
@Deep // Every day's run has them among the commands of the guide.
class MpiExamplesIT {
    private static final int RANKS = 4;

    @TestFactory
    Stream<DynamicTest> theResultIsTold() {
        return Stream.of(MpiFlavour.OPEN_MPI, MpiFlavour.ULFM)
                .flatMap(flavour -> Stream.of(
                        example(flavour, Heat.class, "\n25.00 degrees in the middle\n"),
                        example(flavour, Flock.class,
                                "after 200 iterations: 180 birds, dx 0.003629 in the mean, 0.000165 around it\n"),
                        example(flavour, Kmers.class,
                                "5520 words, 1023 different ones, most often CGTTA=14\n"),
                        example(flavour, PageRank.class, "B 0.384401, C 0.342910, E 0.080886\n")));
    }

    private static DynamicTest example(MpiFlavour flavour, Class<?> example, String told) {
        return DynamicTest.dynamicTest(example.getSimpleName() + " on " + flavour, () -> {
            flavour.require();
            MpiResult result = MpiJob.of(example, RANKS).on(flavour).run().requireSuccess();
            long tellers = IntStream.range(0, RANKS).filter(rank -> result.output(rank).endsWith(told)).count();
            assertTrue(tellers == 1, result::describe);
        });
    }
}
