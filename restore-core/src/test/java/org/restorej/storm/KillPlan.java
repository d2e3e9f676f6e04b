package org.restorej.storm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Who fails when and how in one job: follows from a seed.
 *
 * @param ranks number of ranks of the job
 * @param redundancy of the blocks; no more die than it bears before all replicas are there again
 * @param bursts one after the other, each after a complete recovery from the one before
 * @param inFinish who fails while all leave MPI, or null
 */
record KillPlan(int ranks, Redundancy redundancy, List<Burst> bursts, @Nullable Failure inFinish) {
    /** Some cycles long, on two cores. */
    private static final int LONGEST_DELAY_MILLIS = 400;

    /** About as long as noticing a failure and recovering from it. */
    private static final int LONGEST_GAP_MILLIS = 250;

    /** About as many communication calls as a cycle has. */
    private static final int MAX_CALLS = 500;

    /** About as long as leaving MPI. */
    private static final int LONGEST_FINISH_MICROS = 20_000;

    /**
     * The end of a rank.
     *
     * @param rank whose
     * @param kind how
     * @param after so many communication calls, or in {@code finish} so many microseconds
     */
    record Failure(int rank, FailureKind kind, int after) {}

    /**
     * Failures that belong together.
     *
     * @param delayMillis time before
     * @param failures one or two
     * @param gapMillis time between the first and the second; 0 for at once
     */
    record Burst(int delayMillis, List<Failure> failures, int gapMillis) {}

    KillPlan {
        bursts = List.copyOf(bursts);
    }

    /**
     * A plan that leaves few alive.
     *
     * @param survivors how many it leaves
     * @param zeroFirst whether rank 0 is among the first to die
     */
    static KillPlan random(int ranks, Redundancy redundancy, int survivors, boolean zeroFirst, Random random) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.shuffle(order, random);
        if (zeroFirst) {
            Collections.swap(order, 0, order.indexOf(0));
        }
        List<Burst> bursts = new ArrayList<>();
        int failed = 0;
        while (failed < ranks - survivors) {
            int bearable = Math.min(redundancy.bearableFailures(ranks - failed), ranks - survivors - failed);
            int count = bearable > 1 && random.nextInt(3) > 0 ? 2 : 1;
            int gap = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(LONGEST_GAP_MILLIS);
            List<Failure> failures = order.subList(failed, failed + count).stream().map(rank -> failure(rank, random))
                    .toList();
            bursts.add(new Burst(random.nextInt(LONGEST_DELAY_MILLIS), failures, gap));
            failed += count;
        }
        Failure last = survivors > 1 && random.nextBoolean()
                ? new Failure(order.getLast(), FailureKind.ofAnyThread(random), random.nextInt(LONGEST_FINISH_MICROS))
                : null;
        return new KillPlan(ranks, redundancy, bursts, last);
    }

    private static Failure failure(int rank, Random random) {
        FailureKind[] kinds = FailureKind.values();
        return new Failure(rank, kinds[random.nextInt(kinds.length)], random.nextInt(MAX_CALLS));
    }

    /** The same ranks at the same times, all by SIGKILL from outside, and none while it leaves MPI. */
    KillPlan bySigkill() {
        return new KillPlan(ranks, redundancy, bursts.stream().map(burst -> new Burst(burst.delayMillis(),
                burst.failures().stream().map(failure -> new Failure(failure.rank(), FailureKind.SIGKILL, 0)).toList(),
                burst.gapMillis())).toList(), null);
    }

    Optional<Failure> failureInFinish() {
        return Optional.ofNullable(inFinish);
    }

    /** All failures but that while leaving MPI, in this order. */
    List<Failure> failures() {
        return bursts.stream().flatMap(burst -> burst.failures().stream()).toList();
    }
}
