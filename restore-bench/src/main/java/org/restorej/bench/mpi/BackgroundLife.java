package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.mpi.rival.WireLimit;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.block.BlockRange;
import org.restorej.comm.Reduction;

/**
 * What each rank runs to measure what an application notices of a submit, alternately in the same job: of one that
 * blocks, of one in the background while iterations of a millisecond are computed, and, as the lower bound, of the same
 * bytes by plain messages in the background. In each turn the last rank may come late. An application notices the time
 * inside of the calls; the rank that notices most of those in time counts. An iteration computes, or sleeps: where
 * ranks that compute share cores, a call also takes as long as another rank has its core.
 */
public final class BackgroundLife {
    /** Name of the time that is noticed. */
    public static final String NOTICED = "noticed";
    /** Name of the time of the longest call that asks whether a submit is done. */
    public static final String LONGEST_STEP = "longestStep";
    /** Name of the parameter that tells what an iteration does. */
    public static final String ITERATION = "iteration";
    /** Name of the parameter that tells how many milliseconds the last rank comes late. */
    public static final String LATE = "lateMillis";
    /** Method: the submit that blocks. */
    public static final String BLOCKING = "blocking";

    private static final String SLEEPS = "sleeps";
    private static final String COMPUTES = "computes";
    private static final long ITERATION_NANOS = 1_000_000;
    private static final int TURNS_UNMEASURED = 3;

    private final RankWorld ranks;
    private final StoreShape shape;
    private final LifeResults results;
    private final int lateMillis;
    private final Map<Case, Times> times = new LinkedHashMap<>();

    private BackgroundLife(RankWorld ranks, StoreShape shape, LifeResults results, int lateMillis) {
        this.ranks = ranks;
        this.shape = shape;
        this.results = results;
        this.lateMillis = lateMillis;
    }

    /**
     * Measures. Arguments: the file for the results, bytes of a rank, number of turns, a name for how the JVM was
     * started, and how many milliseconds the last rank comes late.
     */
    public static void main(String[] args) {
        RankWorld ranks = RankWorld.open();
        StoreShape shape = JobLife.shape(ranks, Long.parseLong(args[1]));
        LifeResults results = new LifeResults(BackgroundLife.class, ranks.size(), shape.bytesPerPe(), args[3]);
        results.measure(ranks, Path.of(args[0]),
                () -> new BackgroundLife(ranks, shape, results, Integer.parseInt(args[4]))
                        .live(Integer.parseInt(args[2])));
    }

    /** What is measured, and what the iterations meanwhile do. */
    private record Case(String method, String iteration) {}

    private record Times(List<Double> noticed, List<Double> longestStep) {}

    /** Times of one turn. */
    private record Turn(long noticedNanos, long longestStepNanos) {}

    private void live(int turns) {
        ReStore store = shape.store(ranks.communicator());
        BlockRange submitted = shape.share(ranks.rank() + 1);
        try (StoreSubmit submit = new StoreSubmit(shape, store, submitted);
                WireLimit wire = new WireLimit(ranks.plain().communicator(),
                        PeerBytes.intoReplicas(ranks.plain().communicator(),
                                new BlockTraffic(store).sentBySubmit(submitted)),
                        shape.bytesPerPe(), submit.bytes())) {
            // Sorted: the same order on all ranks.
            Map<String, Runnable> iterations = new TreeMap<>(Map.of(SLEEPS,
                    () -> LockSupport.parkNanos(ITERATION_NANOS), COMPUTES, BackgroundLife::compute));
            for (int turn = -TURNS_UNMEASURED; turn < turns; turn++) {
                boolean counts = turn >= 0;
                note(counts, new Case(BLOCKING, SLEEPS), () -> blocking(submit));
                iterations.forEach((name, iteration) -> {
                    note(counts, new Case("restore", name), () -> background(submit, iteration));
                    note(counts, new Case("wire", name), () -> background(wire, iteration));
                });
            }
            submit.check();
            ranks.barrier();
        }
        times.forEach(this::note);
    }

    private boolean isLate() {
        return lateMillis > 0 && ranks.rank() == ranks.size() - 1;
    }

    private void note(boolean counts, Case measured, Supplier<Turn> call) {
        ranks.barrier();
        if (isLate()) {
            LockSupport.parkNanos(lateMillis * 1_000_000L);
        }
        Turn turn = call.get();
        long[] most = isLate() ? new long[2] : new long[]{turn.noticedNanos(), turn.longestStepNanos()};
        ranks.communicator().allReduce(most, Reduction.MAX);
        if (counts) {
            Times all = times.computeIfAbsent(measured, _ -> new Times(new ArrayList<>(), new ArrayList<>()));
            all.noticed().add(most[0] / 1e6);
            all.longestStep().add(most[1] / 1e6);
        }
    }

    private void note(Case measured, Times all) {
        List<String> iterations = measured.method().equals(BLOCKING)
                ? List.of(SLEEPS, COMPUTES)
                : List.of(measured.iteration());
        for (String iteration : iterations) {
            Map<String, String> params = Map.of(BenchmarkKey.METHOD, measured.method(), ITERATION, iteration,
                    LATE, Integer.toString(lateMillis));
            results.note(NOTICED, JobLife.WARM, all.noticed(), params);
            if (!measured.method().equals(BLOCKING)) {
                results.note(LONGEST_STEP, JobLife.WARM, all.longestStep(), params);
            }
        }
    }

    private static void compute() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < ITERATION_NANOS) {
            Thread.onSpinWait();
        }
    }

    private static Turn blocking(StoreSubmit submit) {
        long start = System.nanoTime();
        submit.run();
        return new Turn(System.nanoTime() - start, 0);
    }

    private static Turn background(StoreSubmit submit, Runnable iteration) {
        long start = System.nanoTime();
        PendingOperation<Long> pending = submit.begin();
        Turn turn = untilDone(System.nanoTime() - start, pending::isDone, iteration);
        start = System.nanoTime();
        pending.await();
        return new Turn(turn.noticedNanos() + System.nanoTime() - start, turn.longestStepNanos());
    }

    private static Turn background(WireLimit wire, Runnable iteration) {
        long start = System.nanoTime();
        wire.begin();
        return untilDone(System.nanoTime() - start, wire::isDone, iteration);
    }

    private static Turn untilDone(long beginNanos, BooleanSupplier isDone, Runnable iteration) {
        long noticed = beginNanos;
        long longest = 0;
        boolean done = false;
        while (!done) {
            iteration.run();
            long start = System.nanoTime();
            done = isDone.getAsBoolean();
            long step = System.nanoTime() - start;
            noticed += step;
            longest = Math.max(longest, step);
        }
        return new Turn(noticed, longest);
    }
}
