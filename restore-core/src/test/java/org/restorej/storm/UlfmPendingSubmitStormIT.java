package org.restorej.storm;

import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** As {@link UlfmKillStormIT}, of ranks that have a submit in the background nearly all the time. */
@Deep
class UlfmPendingSubmitStormIT {
    private static final int RANKS = 8;
    private static final int SURVIVORS = 3;

    /** With five SIGKILLs each: 200. */
    private static final int JOBS = 40;

    @TestFactory
    Stream<DynamicTest> survivorsKeepAllDataWhileTheySubmit() {
        return IntStream.range(0, JOBS).mapToObj(UlfmPendingSubmitStormIT::test);
    }

    private static DynamicTest test(int job) {
        KillPlan plan = KillPlan.random(RANKS, Redundancy.replication(3), SURVIVORS, false,
                new Random(Seed.of("pending storm, job " + job))).bySigkill();
        return DynamicTest.dynamicTest("job " + job, () -> UlfmKillStormIT.storm(plan, KillStormProgram.PENDING));
    }
}
