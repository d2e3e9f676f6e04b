package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.UnreadableFileOperations;

/**
 * All processes were killed while they replaced their files, and one journal can't be read: nobody settles anything by
 * the others', so that nobody has the old files while others have the new ones.
 */
class DamagedJournalTest {
    private static final int RANKS = 4;
    private static final int LAST_TO_DECIDE = 2;

    private static RedsetJob interruptedJob() {
        RedsetJob job = new RedsetJob(RedsetJob.Attempt.APPLY, Scheme.xor(), RANKS);
        KilledAtDecision.killAll(job, rank -> rank >= LAST_TO_DECIDE);
        return job;
    }

    private static List<SortedMap<String, Integer>> disks(RedsetJob job) {
        List<SortedMap<String, Integer>> disks = new ArrayList<>();
        for (RankDirectory directory : job.directories()) {
            SortedMap<String, Integer> lengths = new TreeMap<>();
            directory.snapshot().forEach((name, content) -> lengths.put(name, content.length));
            disks.add(lengths);
        }
        return disks;
    }

    private static String journalOf(RedsetJob job, int rank) {
        return job.directories().get(rank).snapshot().keySet().stream()
                .filter(name -> name.matches(".*restorej-(staged|decided)")).findFirst().orElseThrow();
    }

    private static void assertRefused(RedsetJob job, int victim, FileOperations ofVictim, String... said) {
        List<SortedMap<String, Integer>> before = disks(job);
        for (boolean recovers : new boolean[]{true, false}) {
            RedsetJob.run(LocalCluster.builder(RANKS), world -> {
                try (Redset redset = job.redset(world, world.rank() == victim ? ofVictim : FileOperations.system())) {
                    RedsetException refused = assertThrows(RedsetException.class, () -> {
                        if (recovers) {
                            redset.recover();
                        } else {
                            job.attempt(redset, world.rank());
                        }
                    });
                    assertEquals(Set.of(victim), refused.failures().keySet());
                    assertSays(refused, said);
                }
                return true;
            });
            assertEquals(before, disks(job));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, LAST_TO_DECIDE})
    void aFlippedBitOfAJournalIsAnErrorOnAllRanksAndNothingChanges(int victim) {
        try (RedsetJob job = interruptedJob()) {
            String journal = journalOf(job, victim);
            job.directories().get(victim).flip(journal, 8 * 30);
            assertRefused(job, victim, FileOperations.system(), "the journal ", journal, "is damaged");
            job.directories().get(victim).flip(journal, 8 * 30);
            job.recoverAll(true, "after the journal can be read");
        }
    }

    @Test
    void aJournalThatTheDiskDoesNotGiveIsAnErrorOnAllRanksAndNothingChanges() {
        try (RedsetJob job = interruptedJob()) {
            UnreadableFileOperations unreadable = new UnreadableFileOperations(
                    path -> path.toString().contains("restorej-"));
            assertRefused(job, 0, unreadable, journalOf(job, 0), "Input/output error");
            assertTrue(unreadable.hits() > 0);
            job.recoverAll(true, "after the journal can be read");
        }
    }

    /** As the message says. */
    @Test
    void aRankWithADamagedJournalCanBeCountedAsLost() {
        try (RedsetJob job = interruptedJob()) {
            RankDirectory victim = job.directories().get(0);
            victim.flip(journalOf(job, 0), 8 * 30);
            for (String name : Map.copyOf(victim.snapshot()).keySet()) {
                if (name.startsWith("rank.0.")) {
                    victim.delete(name);
                }
            }
            job.recoverAll(true, "after the rank was counted as lost");
        }
    }

    @Test
    void unapplyGivesUpWhatADamagedJournalBelongsTo() {
        try (RedsetJob job = interruptedJob()) {
            job.directories().get(0).flip(journalOf(job, 0), 8 * 30);
            RedsetJob.run(LocalCluster.builder(RANKS), world -> {
                try (Redset redset = job.redset(world, FileOperations.system())) {
                    redset.unapply();
                    job.attempt(redset, world.rank());
                    assertEquals(Set.of(), redset.recover().rebuiltRanks());
                }
                return true;
            });
        }
    }
}
