package org.restorej.storm;

import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** As {@link UlfmKillStormIT}, of ranks that have a submit in the background nearly all the time. */
class UlfmPendingSubmitStormIT {
    /** With five SIGKILLs each: 200. */
    private static final int DEEP_JOBS = 40;

    @TestFactory
    Stream<DynamicTest> survivorsKeepAllDataWhileTheySubmit() {
        return Stream.of(test(0, 4, 2));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsOfManyStormsKeepAllDataWhileTheySubmit() {
        return IntStream.rangeClosed(1, DEEP_JOBS).mapToObj(job -> test(job, 8, 3));
    }

    private static DynamicTest test(int job, int ranks, int survivors) {
        KillPlan plan = KillPlan.random(ranks, 3, survivors, false, new Random(Seed.of("pending storm, job " + job)))
                .bySigkill();
        return DynamicTest.dynamicTest("job " + job, () -> UlfmKillStormIT.storm(plan, KillStormProgram.PENDING));
    }
}
