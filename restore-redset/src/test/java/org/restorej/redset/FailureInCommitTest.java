package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.testing.Deep;

/**
 * Processes that fail at any change of their disks while files are protected. Their disks stay as they are then, and
 * come back. The survivors have all of the old files or all of the new, and so has the next run of all ranks.
 */
class FailureInCommitTest {
    private static final int RANKS = 3;

    /** What is there before the attempt in which processes fail. */
    enum Before {
        /** An encoding. */
        WHOLE,
        /** That, and a commit after it in which all processes were killed, when only rank 0 had noted the decision. */
        DECIDED
    }

    /** The disk of another rank is lost before the next run: XOR bears that, unless old and new are mixed. */
    @Test
    void theNextRunOfAllRanksHasAllOfTheOldOrAllOfTheNew() {
        failEverywhere(1, Before.WHOLE);
    }

    @Test
    void twoProcessesThatFailTogetherLeaveNoMixOfOldAndNew() {
        failEverywhere(2, Before.DECIDED);
    }

    @Deep
    @Test
    void norDoTheyFromAnotherBeginning() {
        failEverywhere(1, Before.DECIDED);
        failEverywhere(2, Before.WHOLE);
    }

    /**
     * Fails at every change.
     *
     * @param victims how many fail; with one, the disk of another is lost besides
     */
    private static void failEverywhere(int victims, Before before) {
        SortedSet<Boolean> ends = new TreeSet<>();
        try (RedsetJob job = new RedsetJob(RedsetJob.Attempt.APPLY, Scheme.xor(), RANKS)) {
            boolean failed = true;
            for (int failAt = 0; failed; failAt++) {
                job.reset();
                if (before == Before.DECIDED) {
                    interrupt(job);
                }
                String when = victims + " processes fail at change " + failAt;
                Queue<FailingFileOperations> failing = new ConcurrentLinkedQueue<>();
                List<Boolean> done = attempt(job, victims, failAt, failing);
                failed = failing.stream().anyMatch(FailingFileOperations::hasFailed);
                assertEquals(1, done.stream().distinct().count(), when + ": all survivors end alike: " + done);
                assertTrue(failed || done.getFirst(), when);
                ends.add(done.getFirst());
                if (victims == 1) {
                    job.directories().get(1).lose();
                }
                job.recoverAll(done.getFirst() || before == Before.DECIDED, when);
            }
        }
        assertEquals(2, ends.size(), "attempts are done, or not, by where processes fail");
    }

    private static List<Boolean> attempt(RedsetJob job, int victims, int failAt,
            Queue<FailingFileOperations> failing) {
        return RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            FileOperations operations = FileOperations.system();
            if (world.rank() >= RANKS - victims) {
                FailingFileOperations ofVictim = FailingFileOperations.ofProcess(failAt,
                        () -> FailureSimulation.of(world).fail(world.rank()));
                failing.add(ofVictim);
                operations = ofVictim;
            }
            try (Redset redset = job.redset(world, operations)) {
                job.attempt(redset, world.rank());
                return true;
            } catch (CommunicationFailedException failure) {
                return false;
            }
        });
    }

    private static void interrupt(RedsetJob job) {
        KilledAtDecision.killAll(job, rank -> rank == 0);
    }
}
