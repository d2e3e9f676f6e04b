package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
import org.restorej.testing.Seed;

/**
 * Lets nodes of real jobs die, alone and in pairs, wherever they are in their work, until two are left or even one: the
 * others must go on with all data each time, and end well. Open MPI 6.
 *
 * <p>
 * {@code -Drestorej.nodes.failures=N} asks for N failures of nodes or a few more, by default {@value #FAILURES}; {@link
 * Seed} chooses which nodes die where; the same one does not give the same run, since the ranks' own timing differs.
 */
@Deep
class NodeStormIT {
    private static final int NODES = 6;
    private static final int FAILURES = 25;
    private static final int WANTED = Integer.getInteger("restorej.nodes.failures", FAILURES);
    private static Nodes nodes;
    private static int failures;

    @BeforeAll
    static void makeNodes() {
        MpiFlavour.ULFM_6.require();
        nodes = Nodes.up(NODES);
    }

    @AfterAll
    static void removeNodes() {
        if (nodes != null) {
            nodes.close();
            System.out.println("storm on nodes: " + failures + " nodes failed");
        }
    }

    /**
     * Ranks r, r + 4 and r + 8 would hold the same blocks, and are on one node of four. With three replicas two nodes
     * may die at once, and nothing is lost, since the store keeps replicas on different hosts unasked.
     */
    @Test
    void twoNodesThatDieAtOnceTakeNothingWithThem() {
        try (Nodes four = Nodes.up(4);
                NodeJob job = NodeJob.start(four, 12, MpiFlavour.ULFM_6, KillStormProgram.BY_HAND,
                        Redundancy.replication(3))) {
            job.killNodes(2, 4);
            job.awaitRecovery();
            job.finish();
        }
    }

    /** Each node has one of the six parts of every row, on one of its two ranks. */
    @Test
    void twoNodesThatDieAtOnceTakeNothingOfCodedBlocksWithThem() {
        try (NodeJob job = NodeJob.start(nodes, 2 * NODES, MpiFlavour.ULFM_6, KillStormProgram.BY_HAND,
                Redundancy.coded(4, 2))) {
            job.killNodes(2, 5);
            job.awaitRecovery();
            job.finish();
        }
    }

    @TestFactory
    Stream<DynamicTest> survivorsKeepAllData() {
        List<NodePlan> plans = plans(new Random(Seed.of(NodeStormIT.class)));
        Stream<DynamicTest> jobs = IntStream.range(0, plans.size()).mapToObj(
                job -> DynamicTest.dynamicTest("job " + job + ", " + plans.get(job), () -> storm(plans.get(job))));
        return Stream.concat(jobs, Stream.of(DynamicTest.dynamicTest("at least " + WANTED + " failures",
                () -> assertTrue(failures >= WANTED, () -> failures + " nodes failed"))));
    }

    private static List<NodePlan> plans(Random random) {
        List<NodePlan> plans = new ArrayList<>();
        while (plans.stream().mapToInt(NodePlan::failures).sum() < WANTED) {
            // One rank on each node, and two, by turns.
            plans.add(NodePlan.random(NODES, 1 + plans.size() % 2, 1 + random.nextInt(2),
                    plans.size() % 4 < 2 ? KillStormProgram.BY_HAND : KillStormProgram.LOOP, random));
        }
        return plans;
    }

    private static void storm(NodePlan plan) {
        try (NodeJob job = NodeJob.start(nodes, NODES * plan.ranksPerNode(), MpiFlavour.ULFM_6, plan.recovery(),
                NodePlan.REDUNDANCY)) {
            for (NodePlan.Burst burst : plan.bursts()) {
                int first = burst.nodes().getFirst();
                job.holdOn(first, burst.place());
                job.awaitHeld(first, burst.place());
                job.killNodes(burst.nodes().stream().mapToInt(Integer::intValue).toArray());
                job.awaitRecovery();
                failures += burst.nodes().size();
            }
            MpiResult result = job.finish();
            System.out.printf("storm on nodes: %s in %d ms%n", plan, result.duration().toMillis());
        }
    }
}
