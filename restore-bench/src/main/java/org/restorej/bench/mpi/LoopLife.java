package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.LoopFiles;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * What each rank runs to measure what a program pays for checkpoints: the same iterations of some 10 ms, each with a
 * reduction, without a {@link CheckpointLoop}, with one that checkpoints in memory, and with one that also saves files.
 * The three take turns, so that what else the machine does slows all alike. A time is the mean of an iteration over one
 * round of 10 s; the first round has the first checkpoints.
 */
public final class LoopLife {
    private static final Duration MEMORY_INTERVAL = Duration.ofSeconds(1);
    private static final Duration FILE_INTERVAL = Duration.ofSeconds(10);
    private static final long ITERATION_NANOS = 10_000_000;
    /** A round takes as long as the interval of files, so each has one checkpoint in files. */
    private static final long ITERATIONS_OF_ROUND = FILE_INTERVAL.toNanos() / ITERATION_NANOS;
    private static final int ROUNDS_OF_CALIBRATION = 30;
    private static final long FIRST_STEPS = 1_000_000;

    private final RankWorld ranks;
    private final StoreShape shape;
    private final int rounds;
    private long steps = FIRST_STEPS;
    private long computed = 1;

    private LoopLife(RankWorld ranks, StoreShape shape, int rounds) {
        this.ranks = ranks;
        this.shape = shape;
        this.rounds = rounds;
    }

    /** Measures. Arguments: the file for the times, bytes of a rank, and rounds. */
    public static void main(String[] args) {
        RankWorld.live(Path.of(args[0]), ranks -> new LoopLife(ranks,
                new StoreShape(ranks.size(), Long.parseLong(args[1])), Integer.parseInt(args[2])).times());
    }

    private Map<String, List<Double>> times() {
        calibrate();
        long[] values = new long[Math.toIntExact(shape.bytesPerPe() / Long.BYTES)];
        List<Double> without = new ArrayList<>();
        List<Double> memory = new ArrayList<>();
        List<Double> files = new ArrayList<>();
        try (Kept inMemory = new Kept(false); Kept inFiles = new Kept(true)) {
            for (int round = 0; round < rounds; round++) {
                without.add(millisOf(() -> roundWithout(values)));
                memory.add(millisOf(inMemory::round));
                files.add(millisOf(inFiles::round));
            }
        }
        return Map.of("memory", memory, "files", files,
                "memory/no-checkpoints", without, "files/no-checkpoints", without);
    }

    /** So many steps that an iteration takes 10 ms where all ranks compute at once; as many on all. */
    private void calibrate() {
        for (int round = 0; round < ROUNDS_OF_CALIBRATION; round++) {
            double millis = ranks.millis(() -> iterate(new long[1], 0));
            steps = ranks.communicator().allReduce((long) (steps * (ITERATION_NANOS / 1e6) / millis), Reduction.MAX);
        }
    }

    /** One iteration, of which a row remembers the number. */
    private void iterate(long[] values, long iteration) {
        long value = computed;
        for (long step = 0; step < steps; step++) {
            value = value * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }
        computed = value;
        values[(int) (iteration % values.length)] = iteration;
    }

    private void reduce() {
        ranks.communicator().allReduce(new long[]{computed}, Reduction.MAX);
    }

    /** Mean time of an iteration of one round. Collective. */
    private double millisOf(Runnable round) {
        return ranks.millis(round) / ITERATIONS_OF_ROUND;
    }

    private void roundWithout(long[] values) {
        for (long iteration = 0; iteration < ITERATIONS_OF_ROUND; iteration++) {
            iterate(values, iteration);
            reduce();
        }
    }

    /** A loop over rows of its own, which are in memory of other ranks each second. Collective. */
    private final class Kept implements AutoCloseable {
        private final ReplicatedArray<long[]> array;
        private final CheckpointLoop loop;
        private final LocalRows<long[]> rows;

        Kept(boolean alsoInFiles) {
            int longs = Math.toIntExact(StoreShape.BLOCK_BYTES / Long.BYTES);
            array = ReplicatedArray.ofLongs(shape.builder(ranks.communicator()), shape.blocks(), longs);
            loop = new CheckpointLoop(ranks.communicator(), LoadBalancer.equal(ranks.size(), shape.blocks()),
                    CheckpointInterval.time(MEMORY_INTERVAL));
            if (alsoInFiles) {
                loop.persist(files(), CheckpointInterval.time(FILE_INTERVAL));
            }
            rows = loop.keep(array.local(mine -> new long[Math.toIntExact(mine.blockCount()) * longs]));
        }

        void round() {
            loop.run(loop.iteration() + ITERATIONS_OF_ROUND, (communicator, iteration) -> {
                iterate(rows.values(), iteration);
                reduce();
            });
        }

        @Override
        public void close() {
            loop.close();
            array.close();
        }
    }

    /** Protected by exclusive or, each rank with a folder of its own, as if it were a node. */
    private LoopFiles files() {
        return LoopFiles.in(RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, ranks.folder("loop"), Scheme.xor(), ranks.size())), "job")
                .host("rank " + ranks.rank());
    }
}
