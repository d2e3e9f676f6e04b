package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
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

/**
 * Kills ranks of real MPI jobs with SIGKILL at random times, one job after the other, rank 0 included, until few are
 * left: they must go on with all data, agree on the generation, and end well.
 *
 * <p>
 * {@code -Drestorej.kills=N} asks for at least N kills, 50 by default; {@code -Drestorej.kill.seed=N} chooses victims
 * and times. The same seed does not give the same run: the ranks' own timing differs.
 */
class UlfmKillStormIT {
    private static final int KILLS = Integer.getInteger("restorej.kills", 50);
    private static final long SEED = Long.getLong("restorej.kill.seed", System.nanoTime());

    /** Several times what a job takes on two busy cores: only a job that hangs gets there. */
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    @TestFactory
    Stream<DynamicTest> survivorsKeepAllData() {
        MpiFlavour.ULFM.require();
        System.out.println("kill storm: restorej.kill.seed=" + SEED);
        List<KillPlan> plans = plans(new Random(SEED));
        return IntStream.range(0, plans.size()).mapToObj(job -> DynamicTest.dynamicTest(
                "job " + job + ", " + plans.get(job).ranks() + " ranks, " + plans.get(job).kills() + " kills",
                () -> storm(plans.get(job), job % 4 < 2 ? KillStormProgram.BY_HAND : KillStormProgram.LOOP)));
    }

    /** Jobs of 8 and 4 ranks by turns, recovering by hand and with the loop by turns. */
    private static List<KillPlan> plans(Random random) {
        List<KillPlan> plans = new ArrayList<>();
        int kills = 0;
        while (kills < KILLS) {
            int job = plans.size();
            KillPlan plan = job % 2 == 0
                    ? KillPlan.random(8, 3 + random.nextInt(2), 2, job % 8 < 4, random)
                    : KillPlan.random(4, 3, 1, job % 8 < 4, random);
            plans.add(plan);
            kills += plan.kills();
        }
        return plans;
    }

    private static void storm(KillPlan plan, String recovery) throws InterruptedException {
        try (MpiJob job = MpiJob.of(KillStormProgram.class, plan.ranks()).on(MpiFlavour.ULFM)
                .arguments(recovery, Integer.toString(plan.replication())).timeout(TIMEOUT).start()) {
            for (int rank = 0; rank < plan.ranks(); rank++) {
                job.awaitOutput(rank, KillStormProgram.WORKING);
            }
            TreeSet<Integer> killed = new TreeSet<>();
            for (KillPlan.Burst burst : plan.bursts()) {
                Thread.sleep(burst.delayMillis());
                strike(job, burst);
                killed.addAll(burst.victims());
                for (int survivor : survivors(plan, killed)) {
                    job.awaitReport(KillStormProgram.recoveryReport(survivor), killed.toString());
                }
            }
            job.tell(StormCycle.STOP);
            MpiResult result = job.await().requireSuccess();
            checkEnd(plan, job, result);
            System.out.printf("kill storm: %d ranks, K=%d, %s, killed %s in %d ms; rank %d: %s%n", plan.ranks(),
                    plan.replication(), recovery, plan.bursts(), result.duration().toMillis(),
                    survivors(plan, killed).getFirst(),
                    job.report(KillStormProgram.phaseReport(survivors(plan, killed).getFirst())).orElse("nothing"));
        }
    }

    private static void strike(MpiJob job, KillPlan.Burst burst) throws InterruptedException {
        if (burst.gapMillis() == 0) {
            job.kill(burst.victims().stream().mapToInt(Integer::intValue).toArray());
            return;
        }
        for (int victim : burst.victims()) {
            job.kill(victim);
            if (victim != burst.victims().getLast()) {
                Thread.sleep(burst.gapMillis());
            }
        }
    }

    private static List<Integer> survivors(KillPlan plan, Set<Integer> killed) {
        return IntStream.range(0, plan.ranks()).boxed().filter(rank -> !killed.contains(rank)).toList();
    }

    private static void checkEnd(KillPlan plan, MpiJob job, MpiResult result) {
        assertEquals(new TreeSet<>(plan.victims()), result.killedRanks(), "killed ranks");
        TreeSet<String> ends = new TreeSet<>();
        for (int rank = 0; rank < plan.ranks(); rank++) {
            String end = job.report(KillStormProgram.endReport(rank)).orElse("");
            boolean killed = result.killedRanks().contains(rank);
            assertEquals(!killed, end.startsWith("OK"), () -> "an OK only of survivors\n" + result.describe());
            if (!killed) {
                ends.add(end);
            }
        }
        assertEquals(1, ends.size(), () -> "all survivors see the same: " + ends + "\n" + result.describe());
        assertTrue(ends.getFirst().endsWith("failed=" + result.killedRanks()), () -> "failed ranks: " + ends);
    }
}
