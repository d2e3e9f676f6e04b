package org.restorej.storm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Who is killed when in one job: follows from a seed.
 *
 * @param ranks number of ranks of the job
 * @param replication replication level K; fewer than K are killed before K replicas are there again
 * @param bursts one after the other, each after a complete recovery from the one before
 */
record KillPlan(int ranks, int replication, List<Burst> bursts) {
    /** Some cycles long, on two cores. */
    private static final int LONGEST_DELAY_MILLIS = 400;

    /** About as long as noticing a death and recovering from it. */
    private static final int LONGEST_GAP_MILLIS = 250;

    /**
     * Kills that belong together.
     *
     * @param delayMillis time before
     * @param victims one or two ranks
     * @param gapMillis time between the first and the second; 0 for at once
     */
    record Burst(int delayMillis, List<Integer> victims, int gapMillis) {}

    KillPlan {
        bursts = List.copyOf(bursts);
    }

    /**
     * A plan that leaves few alive.
     *
     * @param survivors how many it leaves
     * @param zeroFirst whether rank 0 is among the first to die
     */
    static KillPlan random(int ranks, int replication, int survivors, boolean zeroFirst, Random random) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.shuffle(order, random);
        if (zeroFirst) {
            Collections.swap(order, 0, order.indexOf(0));
        }
        List<Burst> bursts = new ArrayList<>();
        int killed = 0;
        while (killed < ranks - survivors) {
            // As many replicas as PEs are alive, where that is less than K; one of them must be left.
            int bearable = Math.min(Math.min(replication, ranks - killed) - 1, ranks - survivors - killed);
            int count = bearable > 1 && random.nextInt(3) > 0 ? 2 : 1;
            int gap = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(LONGEST_GAP_MILLIS);
            bursts.add(new Burst(random.nextInt(LONGEST_DELAY_MILLIS), order.subList(killed, killed + count), gap));
            killed += count;
        }
        return new KillPlan(ranks, replication, bursts);
    }

    int kills() {
        return bursts.stream().mapToInt(burst -> burst.victims().size()).sum();
    }

    /** Ranks that are killed, in this order. */
    List<Integer> victims() {
        return bursts.stream().flatMap(burst -> burst.victims().stream()).toList();
    }
}
