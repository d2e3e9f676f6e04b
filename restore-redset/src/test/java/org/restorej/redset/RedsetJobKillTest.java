package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * All processes are killed at once, as one failure does it to a job on plain MPI, at any change of any of their disks
 * while new files take the place of old ones. Then one disk is lost. The next run has all of the old or all of the new.
 */
class RedsetJobKillTest {
    private static final int RANKS = 3;

    @Test
    void theNextRunHasAllOfTheOldOrAllOfTheNew() {
        killEverywhere(Scheme.xor());
    }

    @Deep
    @Test
    void theNextRunHasAllOfTheOldOrAllOfTheNewWithPartners() {
        killEverywhere(Scheme.partner(1));
    }

    private static void killEverywhere(Scheme scheme) {
        Random random = new Random(Seed.of(RedsetJobKillTest.class));
        Map<String, Integer> outcomes = new HashMap<>();
        try (RedsetJob job = new RedsetJob(RedsetJob.Attempt.APPLY, scheme, RANKS)) {
            boolean killed = true;
            int recoveriesKilled = 0;
            for (int failAt = 0; killed; failAt++) {
                job.reset();
                FailingFileOperations dying = new FailingFileOperations(failAt, true);
                run(job, dying, RedsetJob.Attempt.APPLY);
                killed = dying.hasFailed();
                int lost = random.nextInt(RANKS);
                String when = scheme + ", " + Seed.option() + ", killed at change " + failAt + ", then lost rank "
                        + lost;
                if (random.nextBoolean()) {
                    job.directories().get(lost).lose();
                }
                if (random.nextBoolean()) {
                    int failAgain = random.nextInt(20);
                    when += ", recovery killed at change " + failAgain;
                    FailingFileOperations dyingAgain = new FailingFileOperations(failAgain, true);
                    run(job, dyingAgain, RedsetJob.Attempt.RECOVER);
                    recoveriesKilled += dyingAgain.hasFailed() ? 1 : 0;
                }
                job.directories().get(lost).lose();
                String outcome = recover(job, when);
                assertTrue(killed || outcome.equals("new"), when);
                outcomes.merge(outcome, 1, Integer::sum);
            }
            assertTrue(recoveriesKilled > 3, "recoveries killed: " + recoveriesKilled);
        }
        assertEquals(Set.of("old", "new"), outcomes.keySet());
        assertTrue(outcomes.values().stream().allMatch(count -> count > 10), outcomes::toString);
    }

    private static void run(RedsetJob job, FileOperations operations, RedsetJob.Attempt attempt) {
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            try (Redset redset = job.redset(world, operations)) {
                if (attempt == RedsetJob.Attempt.APPLY) {
                    job.attempt(redset, world.rank());
                } else {
                    redset.recover();
                }
                return true;
            } catch (RedsetException killed) {
                return false;
            }
        });
    }

    /** Recovers, and says whether that gave the old files or the new. */
    private static String recover(RedsetJob job, String when) {
        List<String> names = RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            try (Redset redset = job.redset(world, FileOperations.system())) {
                redset.recover();
                assertEquals(Set.of(), redset.recover().rebuiltRanks(), when);
                RankDirectory directory = job.directories().get(world.rank());
                Path file = redset.originalFiles().get(0);
                String name = String.valueOf(file.getFileName());
                assertArrayEquals(job.content(world.rank(), name), directory.snapshot().get(name), when);
                return name;
            } catch (RuntimeException failure) {
                throw new AssertionError(when, failure);
            }
        });
        assertEquals(1, names.stream().distinct().count(), when + ": " + names);
        return names.get(0);
    }
}
