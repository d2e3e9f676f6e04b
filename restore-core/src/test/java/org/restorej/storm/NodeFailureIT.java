package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/**
 * A node of three that fails under a store. Ranks are dealt out one by one: ranks r and r + 3 are on one node, and would
 * be the two holders of some blocks, did not the store keep replicas on different hosts unasked. So nothing may be
 * lost.
 */
class NodeFailureIT {
    private static final int NODES = 3;
    private static final int RANKS = 6;
    private static final int VICTIM = 3;

    private static Nodes nodes;

    @BeforeAll
    static void makeNodes() {
        nodes = Nodes.up(NODES);
    }

    @AfterAll
    static void removeNodes() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** Each one in a phase in which all ranks communicate; a rank of the node is held in it when the node fails. */
    @Deep
    @TestFactory
    Stream<DynamicTest> aNodeThatFailsTakesNothingWithIt() {
        MpiFlavour.ULFM_6.require();
        return Stream.concat(
                Stream.of(StormCycle.Phase.SUBMIT, StormCycle.Phase.PULL,
                        StormCycle.Phase.REPLENISH, StormCycle.Phase.HEAL).map(Enum::name),
                Stream.of(Hold.AGREEMENT)).map(place -> DynamicTest.dynamicTest(place, () -> nodeFails(place)));
    }

    private static void nodeFails(String place) {
        // There must be something to heal: the replicas of a node and of a rank elsewhere are gone then.
        boolean heals = place.equals(StormCycle.Phase.HEAL.name());
        try (NodeJob job = start(MpiFlavour.ULFM_6, heals ? 3 : 2)) {
            job.holdOn(VICTIM, place);
            if (heals) {
                job.killRanks(3);
            }
            job.awaitHeld(VICTIM, place);
            job.killNodes(VICTIM);
            job.awaitRecovery();
            job.finish();
        }
    }

    @Deep
    @Test
    void allRanksOfANodeMayDieUnderOpenMpi5() {
        MpiFlavour.ULFM.require();
        NodeJob.allRanksOfANodeDie(() -> start(MpiFlavour.ULFM, 2), VICTIM);
    }

    /**
     * A limit of its daemons (PRRTE 3), not of MPI: without one of them the job ends. It must not hang. One
     * rank on each node suffices.
     */
    @Deep
    @Test
    void aNodeThatFailsEndsAJobUnderOpenMpi5() {
        MpiFlavour.ULFM.require();
        try (NodeJob job = NodeJob.start(nodes, NODES, MpiFlavour.ULFM, KillStormProgram.BY_HAND,
                Redundancy.replication(2))) {
            job.killNodes(VICTIM);
            MpiResult result = job.job().await();
            assertNotEquals(0, result.exitCode(), "exit code");
            assertNotEquals(124, result.exitCode(), () -> "exit code: a timeout\n" + result.describe());
        }
    }

    private static NodeJob start(MpiFlavour flavour, int replication) {
        return NodeJob.start(nodes, RANKS, flavour, KillStormProgram.BY_HAND, Redundancy.replication(replication));
    }
}
