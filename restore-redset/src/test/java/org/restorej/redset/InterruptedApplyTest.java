package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FileOperations;

/** Fewer processes than those that were killed while they protected files. */
class InterruptedApplyTest {
    private static final int RANKS = 4;
    private static final int FEWER = 2;

    /** Those that are here see only journals that decide nothing. */
    @Test
    void applyOfFewerRanksDropsNothingThatRanksElsewhereHaveDecided() {
        try (RedsetJob job = interruptedJob()) {
            List<Map<String, byte[]>> before = job.directories().stream().map(RankDirectory::snapshot).toList();
            onFewer(job, (redset, rank) -> {
                RedsetException refused = assertThrows(RedsetException.class, () -> job.attempt(redset, rank));
                assertEquals(Set.of(0, 1), refused.failures().keySet());
                assertSays(refused, "4 ranks were killed", "restorej-staged", "here are 2: restart with as many",
                        "bin/restore redset rebuild " + job.directories().get(0).path(), "unapply");
            });
            for (int rank = 0; rank < RANKS; rank++) {
                assertEquals(before.get(rank).keySet(), job.directories().get(rank).snapshot().keySet());
            }
            job.directories().get(1).lose();
            job.recoverAll(true, "after another number of ranks was refused");
        }
    }

    @Test
    void unapplyGivesTheCommitUp() {
        try (RedsetJob job = interruptedJob()) {
            onFewer(job, (redset, rank) -> {
                redset.unapply();
                job.attempt(redset, rank);
                assertEquals(1, redset.originalFiles().size());
            });
        }
    }

    private static RedsetJob interruptedJob() {
        RedsetJob job = new RedsetJob(RedsetJob.Attempt.APPLY, Scheme.xor(), RANKS);
        KilledAtDecision.killAll(job, rank -> rank >= FEWER);
        return job;
    }

    /** What one of fewer ranks does. */
    private interface Program {
        void run(Redset redset, int rank);
    }

    private static void onFewer(RedsetJob job, Program program) {
        RedsetJob.run(LocalCluster.builder(FEWER), world -> {
            try (Redset redset = job.redset(world, FileOperations.system())) {
                program.run(redset, world.rank());
            }
            return true;
        });
    }
}
