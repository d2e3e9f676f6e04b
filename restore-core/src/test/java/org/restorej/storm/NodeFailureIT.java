package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/**
 * Nodes and links that fail under a store on three nodes, to which ranks are dealt out one by one. Ranks r and r + 3 are on
 * one node, and would be the two holders of some blocks, did not the store keep replicas on different hosts unasked. So
 * nothing may be lost.
 */
@Deep
class NodeFailureIT {
    static final int NODES = 3;
    static final int RANKS = 6;

    /** The node that fails, and its ranks. */
    static final int VICTIM = 3;
    static final List<Integer> VICTIMS = List.of(2, 5);

    /** Of Open MPI 5 and 6. */
    private static final String MAPPING = "PRTE_MCA_rmaps_default_mapping_policy";

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static Nodes nodes;

    @BeforeAll
    static void makeNodes() {
        nodes = Nodes.up(NODES);
    }

    @AfterAll
    static void removeNodes() {
        nodes.close();
    }

    /** Each one in a phase in which all ranks communicate; a rank of the node is held in it when the node dies. */
    @TestFactory
    Stream<DynamicTest> aNodeThatDiesTakesNothingWithIt() {
        MpiFlavour.ULFM_6.require();
        List<String> places = Stream.concat(
                Stream.of(StormCycle.Phase.SUBMIT, StormCycle.Phase.PULL, StormCycle.Phase.PUSH,
                        StormCycle.Phase.REPLENISH, StormCycle.Phase.HEAL).map(Enum::name),
                Stream.of(Hold.AGREEMENT)).toList();
        return places.stream().map(place -> DynamicTest.dynamicTest(place,
                () -> nodeDies(place)));
    }

    private static void nodeDies(String place) {
        // There must be something to heal: the replicas of a node and of a rank elsewhere are gone then.
        boolean heals = place.equals(StormCycle.Phase.HEAL.name());
        try (MpiJob job = start(MpiFlavour.ULFM_6, heals ? 3 : 2)) {
            TreeSet<Integer> dead = new TreeSet<>();
            job.tell(Hold.order(VICTIMS.getFirst(), place));
            if (heals) {
                job.kill(3);
                dead.add(3);
            }
            job.awaitReport(Hold.report(VICTIMS.getFirst()), place);
            nodes.kill(VICTIM);
            awaitDeaths(job);
            dead.addAll(VICTIMS);
            finish(job, dead);
        }
    }

    @Test
    void allRanksOfANodeMayDieUnderOpenMpi5() {
        MpiFlavour.ULFM.require();
        try (MpiJob job = start(MpiFlavour.ULFM, 2)) {
            job.kill(2, 5);
            finish(job, Set.copyOf(VICTIMS));
        }
    }

    /** A limit of its daemons (PRRTE 3), not of MPI: without one of them the job ends. It must not hang. */
    @Test
    void aNodeThatDiesEndsAJobUnderOpenMpi5() {
        MpiFlavour.ULFM.require();
        try (MpiJob job = start(MpiFlavour.ULFM, 2)) {
            nodes.kill(VICTIM);
            awaitDeaths(job);
            MpiResult result = job.await();
            assertNotEquals(0, result.exitCode(), "exit code");
            assertNotEquals(124, result.exitCode(), () -> "exit code: a timeout\n" + result.describe());
        }
    }

    @TestFactory
    Stream<DynamicTest> aLinkThatIsAwayForFiveSecondsChangesNothing() {
        return Stream.of(MpiFlavour.ULFM, MpiFlavour.ULFM_6)
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> {
                    flavour.require();
                    linkIsAway(flavour);
                }));
    }

    private static void linkIsAway(MpiFlavour flavour) throws InterruptedException {
        try (MpiJob job = start(flavour, 2)) {
            nodes.cut(VICTIM);
            try {
                job.tell(StormCycle.STOP);
                Thread.sleep(5000);
                assertEquals(List.of(), ends(job), "ranks that came to an end without a link");
            } finally {
                nodes.heal(VICTIM);
            }
            checkEnd(job.await().requireSuccess(), job, Set.of());
        }
    }

    private static MpiJob start(MpiFlavour flavour, int replication) {
        return startWorking(launch(flavour, replication).on(nodes));
    }

    /** A job to be started on nodes, to which its ranks are dealt out one by one. */
    static MpiJob.Launch launch(MpiFlavour flavour, int replication) {
        return MpiJob.of(KillStormProgram.class, RANKS).on(flavour).environment(MAPPING, "node:OVERSUBSCRIBE")
                .arguments(KillStormProgram.BY_HAND, Integer.toString(replication)).timeout(TIMEOUT);
    }

    /** Returns when all ranks have come to work. */
    static MpiJob startWorking(MpiJob.Launch launch) {
        MpiJob job = launch.start();
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                job.awaitOutput(rank, KillStormProgram.WORKING);
            }
        } catch (AssertionError failure) {
            job.close();
            throw failure;
        }
        return job;
    }

    static void awaitDeaths(MpiJob job) {
        VICTIMS.forEach(job::awaitEnd);
    }

    /** Waits until all others have recovered, and ends the job. */
    static void finish(MpiJob job, Set<Integer> dead) {
        for (int rank = 0; rank < RANKS; rank++) {
            if (!dead.contains(rank)) {
                job.awaitReport(KillStormProgram.recoveryReport(rank), new TreeSet<>(dead).toString());
            }
        }
        job.tell(StormCycle.STOP);
        checkEnd(job.await().requireSuccess(), job, dead);
    }

    private static List<String> ends(MpiJob job) {
        return IntStream.range(0, RANKS).mapToObj(rank -> job.report(KillStormProgram.endReport(rank)))
                .flatMap(Optional::stream).toList();
    }

    private static void checkEnd(MpiResult result, MpiJob job, Set<Integer> dead) {
        assertEquals(dead, result.killedRanks(), "killed ranks");
        List<String> ends = ends(job);
        assertEquals(RANKS - dead.size(), ends.size(), () -> "ranks that came to the end\n" + result.describe());
        String failed = "failed=" + new TreeSet<>(dead);
        for (String end : ends) {
            assertTrue(end.startsWith("OK") && end.endsWith(failed), () -> end + " without " + failed);
            assertEquals(ends.getFirst(), end, "end of every rank");
        }
    }
}
