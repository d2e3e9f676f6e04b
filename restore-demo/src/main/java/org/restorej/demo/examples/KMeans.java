package org.restorej.demo.examples;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.comm.mpi.Programs;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopValue;
import org.restorej.redset.LoopFiles;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * k-means (Lloyd's algorithm): points around a few centres. The points never change, so they are submitted once; the
 * centres are few, and the same on every PE.
 */
public final class KMeans {
    static final int POINTS = 2000;
    static final int DIMENSIONS = 4;
    static final int CLUSTERS = 5;

    private KMeans() {}

    /**
     * Returns the centres, one behind the other, and reports them (again, if a PE fails meanwhile). In iteration
     * {@code failAt} a PE fails, for show. Goes on from {@code files}, where there are some of an earlier job.
     */
    static double[] run(Communicator world, Optional<Path> files, int failAt, int iterations,
            Consumer<String> output) {
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), POINTS, DIMENSIONS);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), POINTS),
                        CheckpointInterval.iterations(1))) {
            files.ifPresent(folder -> loop.persist(LoopFiles.in(folder, "kmeans"), CheckpointInterval.iterations(5)));
            LocalRows<double[]> mine = loop.keep(array.constant(KMeans::points));
            LoopValue<double[]> centres = loop.value(Codecs.DOUBLES, points(BlockRanges.of(0, CLUSTERS)));
            loop.run(iterations, (comm, iteration) -> {
                if (iteration == failAt && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1);
                }
                centres.set(moved(comm, mine.values(), centres.get()));
            });
            return loop.evaluate(comm -> {
                String text = summary(comm, mine.values(), centres.get());
                if (comm.rank() == 0) {
                    output.accept(text);
                }
                return centres.get();
            });
        }
    }

    /** Runs on eight threads, or on the ranks that a launcher has started; with a folder for its files, or without. */
    public static void main(String[] args) {
        Optional<Path> files = Arrays.stream(args).findFirst().map(Path::of);
        Programs.run(args, 8, world -> run(world, files, 3, 20, System.out::println));
    }

    /** Points of some numbers, one behind the other. In a real program: from a file. */
    static double[] points(BlockRanges numbers) {
        double[] points = new double[(int) numbers.blockCount() * DIMENSIONS];
        int next = 0;
        for (BlockRange run : numbers.runs()) {
            for (long number = run.first(); number < run.end(); number++) {
                SplittableRandom random = new SplittableRandom(number);
                int centre = random.nextInt(CLUSTERS);
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    points[next++] = 10 * Math.cos(centre * (dimension + 1)) + 3 * random.nextGaussian();
                }
            }
        }
        return points;
    }

    /**
     * Moves each centre to the mean of the points that are nearest to it. The sums don't depend on which PE has which
     * point, so the result is the same to the last bit after any failure.
     */
    private static double[] moved(Communicator comm, double[] points, double[] centres) {
        ReproducibleSums sums = new ReproducibleSums(CLUSTERS * (DIMENSIONS + 1));
        for (int point = 0; point < points.length; point += DIMENSIONS) {
            int nearest = nearest(points, point, centres);
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                sums.add(nearest * DIMENSIONS + dimension, points[point + dimension]);
            }
            sums.add(CLUSTERS * DIMENSIONS + nearest, 1);
        }
        sums.allReduce(comm);
        double[] moved = centres.clone();
        for (int i = 0; i < moved.length; i++) {
            double size = sums.value(CLUSTERS * DIMENSIONS + i / DIMENSIONS);
            moved[i] = size == 0 ? centres[i] : sums.value(i) / size;
        }
        return moved;
    }

    static int nearest(double[] points, int point, double[] centres) {
        int nearest = 0;
        for (int cluster = 1; cluster < CLUSTERS; cluster++) {
            if (distance(points, point, centres, cluster) < distance(points, point, centres, nearest)) {
                nearest = cluster;
            }
        }
        return nearest;
    }

    /** Squared. */
    private static double distance(double[] points, int point, double[] centres, int cluster) {
        double sum = 0;
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            double difference = points[point + dimension] - centres[cluster * DIMENSIONS + dimension];
            sum += difference * difference;
        }
        return sum;
    }

    private static String summary(Communicator comm, double[] points, double[] centres) {
        ReproducibleSums sizes = new ReproducibleSums(CLUSTERS);
        ReproducibleSums inertia = new ReproducibleSums(1);
        for (int point = 0; point < points.length; point += DIMENSIONS) {
            int nearest = nearest(points, point, centres);
            sizes.add(nearest, 1);
            inertia.add(0, distance(points, point, centres, nearest));
        }
        sizes.allReduce(comm);
        inertia.allReduce(comm);
        int[] counts = new int[CLUSTERS];
        Arrays.setAll(counts, cluster -> (int) sizes.value(cluster));
        return String.format(Locale.ROOT, "clusters of %s points, inertia %.4f", Arrays.toString(counts),
                inertia.value(0));
    }
}
