package org.restorej.storm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which nodes die when in one job: follows from a seed. The first node never does, since {@code mpirun} is on it.
 *
 * @param ranksPerNode number of ranks on each node
 * @param recovery argument of {@link KillStormProgram}
 * @param bursts one after the other, each after a complete recovery from the one before
 */
record NodePlan(int ranksPerNode, String recovery, List<Burst> bursts) {
    /** With it two nodes may die before there are as many replicas again. */
    static final Redundancy REDUNDANCY = Redundancy.replication(3);

    private static final int MAX_TOGETHER = REDUNDANCY.parityParts();

    /** About as many communication calls as a cycle has. */
    private static final int MAX_CALLS = 500;

    private static final List<String> PLACES = Stream.concat(
            Stream.of(StormCycle.Phase.SUBMIT, StormCycle.Phase.PULL,
                    StormCycle.Phase.REPLENISH, StormCycle.Phase.GAP).map(Enum::name),
            Stream.of(Hold.AGREEMENT)).toList();

    /**
     * Nodes that die together.
     *
     * @param nodes one, or two in the same moment
     * @param place where a rank of the first one is then, of {@link Hold}
     */
    record Burst(List<Integer> nodes, String place) {
        Burst {
            nodes = List.copyOf(nodes);
        }
    }

    NodePlan {
        bursts = List.copyOf(bursts);
    }

    /**
     * A plan that leaves some alive.
     *
     * @param survivors how many nodes it leaves, at least 1: the first one is among them
     */
    static NodePlan random(int nodes, int ranksPerNode, int survivors, String recovery, Random random) {
        List<Integer> order = new ArrayList<>(IntStream.rangeClosed(2, nodes).boxed().toList());
        Collections.shuffle(order, random);
        int failures = nodes - survivors;
        List<Burst> bursts = new ArrayList<>();
        int failed = 0;
        while (failed < failures) {
            // There are no more replicas than nodes where each has one rank; one node at least is left of them.
            int together = Math.min(1 + random.nextInt(MAX_TOGETHER), failures - failed);
            String place = random.nextBoolean()
                    ? PLACES.get(random.nextInt(PLACES.size()))
                    : Hold.call(1 + random.nextInt(MAX_CALLS));
            bursts.add(new Burst(order.subList(failed, failed + together), place));
            failed += together;
        }
        return new NodePlan(ranksPerNode, recovery, bursts);
    }

    /** How many nodes die. */
    int failures() {
        return bursts.stream().mapToInt(burst -> burst.nodes().size()).sum();
    }
}
