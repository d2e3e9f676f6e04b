package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * Lets ranks of real MPI jobs die at random times and in all ways, rank 0 included, until few are left, and while they
 * leave MPI: the others must go on with all data, agree on the generation, and end well.
 *
 * <p>
 * {@link Seed} chooses who fails when and how; the same one does not give the same run, since the ranks' own timing
 * differs. {@code -Drestorej.storm.jobs=N} asks for a deep run's storm of N jobs instead of {@value #DEEP_JOBS}.
 */
class UlfmKillStormIT {
    /** Five of each kind, of which there are eight. */
    private static final int DEEP_JOBS = 40;
    private static final int JOBS = Integer.getInteger("restorej.storm.jobs", DEEP_JOBS);

    /** Of 8 parts at most, on 8 ranks; each bears a failure while 3 are left. */
    private static final List<Redundancy> CODES = List.of(Redundancy.coded(4, 2), Redundancy.coded(5, 3),
            Redundancy.coded(2, 2));
    private static final int CODED_JOBS = 12;

    /** Several times what a job takes on two busy cores: only a job that hangs gets there. */
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    /** One job on 4 ranks with the loop. */
    @TestFactory
    Stream<DynamicTest> survivorsKeepAllData() {
        return Stream.of(test(3));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsOfManyStormsKeepAllData() {
        return IntStream.range(0, JOBS).mapToObj(UlfmKillStormIT::test);
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsOfStormsKeepAllCodedData() {
        return IntStream.range(0, CODED_JOBS).mapToObj(job -> {
            Random random = new Random(Seed.of("storm of coded blocks, job " + job));
            return test(job,
                    KillPlan.random(8, CODES.get(job % CODES.size()), 2 + random.nextInt(2), job % 4 < 2, random));
        });
    }

    private static DynamicTest test(int job) {
        return test(job, plan(job));
    }

    private static DynamicTest test(int job, KillPlan plan) {
        return DynamicTest.dynamicTest("job " + job + ", " + plan.ranks() + " ranks, " + plan.redundancy() + ", "
                + plan.failures().size() + " failures",
                () -> storm(plan, job % 4 < 2 ? KillStormProgram.BY_HAND : KillStormProgram.LOOP));
    }

    /** Jobs of 8 and 4 ranks by turns, recovering by hand and with the loop by turns. */
    private static KillPlan plan(int job) {
        Random random = new Random(Seed.of("storm, job " + job));
        return job % 2 == 0
                ? KillPlan.random(8, Redundancy.replication(3 + random.nextInt(2)), 2, job % 8 < 4, random)
                : KillPlan.random(4, Redundancy.replication(3), 1 + random.nextInt(2), job % 8 < 4, random);
    }

    /** Runs a job, and has its ranks die as planned. */
    static void storm(KillPlan plan, String recovery) throws InterruptedException {
        MpiFlavour.ULFM.require();
        try (MpiJob job = MpiJob.of(KillStormProgram.class, plan.ranks()).on(MpiFlavour.ULFM)
                .arguments(recovery, plan.redundancy().toString()).timeout(TIMEOUT).start()) {
            for (int rank = 0; rank < plan.ranks(); rank++) {
                job.awaitOutput(rank, KillStormProgram.WORKING);
            }
            TreeSet<Integer> failed = new TreeSet<>();
            for (KillPlan.Burst burst : plan.bursts()) {
                Thread.sleep(burst.delayMillis());
                strike(job, burst);
                burst.failures().forEach(failure -> failed.add(failure.rank()));
                for (int survivor : survivors(plan, failed)) {
                    job.awaitReport(KillStormProgram.recoveryReport(survivor), failed.toString());
                }
            }
            plan.failureInFinish().ifPresent(failure -> job.tell(Mine.orderInFinish(failure)));
            job.tell(StormCycle.STOP);
            MpiResult result = job.await();
            checkExitCode(plan, result);
            checkEnd(plan, job, result);
            System.out.printf("storm: %d ranks, %s, %s, %s, in finish %s in %d ms; rank %d: %s%n", plan.ranks(),
                    plan.redundancy(), recovery, plan.bursts(), inFinish(plan, job), result.duration().toMillis(),
                    survivors(plan, failed).getFirst(),
                    job.report(KillStormProgram.phaseReport(survivors(plan, failed).getFirst())).orElse("nothing"));
        }
    }

    private static void strike(MpiJob job, KillPlan.Burst burst) throws InterruptedException {
        for (KillPlan.Failure failure : burst.failures()) {
            if (!failure.equals(burst.failures().getFirst()) && burst.gapMillis() > 0) {
                Thread.sleep(burst.gapMillis());
            }
            if (failure.kind() == FailureKind.SIGKILL) {
                job.kill(failure.rank());
            } else {
                job.tell(Mine.order(failure));
            }
        }
        burst.failures().forEach(failure -> job.awaitEnd(failure.rank()));
    }

    private static List<Integer> survivors(KillPlan plan, Set<Integer> failed) {
        return IntStream.range(0, plan.ranks()).boxed().filter(rank -> !failed.contains(rank)).toList();
    }

    /** What became of the failure in {@code finish}: the rank may have been faster. */
    private static String inFinish(KillPlan plan, MpiJob job) {
        return plan.failureInFinish().map(
                failure -> job.report(Mine.report(failure.rank())).isPresent()
                        ? failure.toString()
                        : failure + " too late")
                .orElse("nobody");
    }

    /** Who fails after leaving MPI in order, and before its main method returns, still decides on the exit code. */
    private static void checkExitCode(KillPlan plan, MpiResult result) {
        if (plan.failureInFinish().isEmpty() || !Set.of(3, 7, 128 + 9).contains(result.exitCode())) {
            result.requireSuccess();
        }
    }

    private static void checkEnd(KillPlan plan, MpiJob job, MpiResult result) {
        for (KillPlan.Failure failure : plan.failures()) {
            assertTrue(result.killedRanks().contains(failure.rank()),
                    () -> failure + " didn't die\n" + result.describe());
            if (failure.kind() != FailureKind.SIGKILL) {
                assertEquals(failure.kind().name(), job.report(Mine.report(failure.rank())).orElse("nothing"),
                        "cause of failure");
            }
            if (failure.kind().throwsSomething()) {
                assertTrue(result.output(failure.rank()).contains(failure.kind().text(failure.rank())),
                        () -> "the exception of " + failure + "\n" + result.describe());
            }
        }
        TreeSet<String> ends = new TreeSet<>();
        for (int rank = 0; rank < plan.ranks(); rank++) {
            String end = job.report(KillStormProgram.endReport(rank)).orElse("");
            boolean failed = result.killedRanks().contains(rank);
            assertEquals(!failed, end.startsWith("OK"), () -> "an OK only of survivors\n" + result.describe());
            if (!failed) {
                ends.add(end);
            }
        }
        assertEquals(1, ends.size(), () -> "all survivors see the same: " + ends + "\n" + result.describe());
        assertTrue(ends.getFirst().endsWith("failed=" + result.killedRanks()), () -> "failed ranks: " + ends);
    }
}
