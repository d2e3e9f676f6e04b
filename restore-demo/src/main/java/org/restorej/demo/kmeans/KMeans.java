package org.restorej.demo.kmeans;

import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.demo.run.DrillOutcome;
import org.restorej.demo.run.FailureDrill;
import org.restorej.demo.run.PeTask;
import org.restorej.demo.run.Progress;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.placement.StoreRank;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * One PE's part of k-means (Lloyd's algorithm); all PEs do theirs. A point is a row of a {@link ReplicatedArray}; the
 * centres are on every PE. First without the store and without failures, as something to compare with; then with both.
 *
 * <p>
 * To make a program of your own of it, take {@link #withFailures} and leave the {@code drill} out: that makes PEs fail
 * on schedule and keeps times.
 */
public final class KMeans implements PeTask<DrillOutcome<Clustering>> {
    private final KMeansSettings settings;
    private final FailureDrill drill;
    private Communicator communicator;

    /**
     * Prepares this PE.
     *
     * @param world all PEs
     * @param settings the same on every PE
     * @param progress is told by one PE at a time
     */
    public KMeans(Communicator world, KMeansSettings settings, Progress progress) {
        this.communicator = world;
        this.settings = settings;
        drill = new FailureDrill(progress);
    }

    @Override
    public Communicator communicator() {
        return communicator;
    }

    @Override
    public DrillOutcome<Clustering> run() {
        LoadBalancer balancer = LoadBalancer.equal(communicator.size(), settings.cloud().points());
        BlockRanges own = balancer.assignment().blocksOf(StoreRank.of(communicator));
        double[] points = settings.cloud().rows(own);
        Clustering start = start(own, points);
        // Once for nothing, so that the first of the two runs doesn't pay for loading classes.
        iterate(communicator, own, points, start);
        long begin = System.nanoTime();
        Clustering reference = start;
        for (int iteration = 1; iteration <= settings.iterations(); iteration++) {
            reference = iterate(communicator, own, points, reference);
        }
        return withFailures(balancer, own, points, start, reference, System.nanoTime() - begin);
    }

    /** Some points to start from, which each PE contributes as far as it has them. */
    private Clustering start(BlockRanges rows, double[] points) {
        int dimensions = settings.cloud().dimensions();
        long[] chosen = new long[settings.clusters() * dimensions];
        for (int cluster = 0; cluster < settings.clusters(); cluster++) {
            long position = rows.indexOf(settings.cloud().points() * cluster / settings.clusters());
            for (int dimension = 0; position >= 0 && dimension < dimensions; dimension++) {
                chosen[cluster * dimensions + dimension] = PointCloud.COORDINATE
                        .of(points[(int) position * dimensions + dimension]);
            }
        }
        communicator.allReduce(chosen, Reduction.SUM);
        double[] centres = new double[chosen.length];
        for (int slot = 0; slot < centres.length; slot++) {
            centres[slot] = PointCloud.COORDINATE.value(chosen[slot]);
        }
        return new Clustering(centres, new long[settings.clusters()], Double.POSITIVE_INFINITY, 0);
    }

    private DrillOutcome<Clustering> withFailures(LoadBalancer balancer, BlockRanges own, double[] points,
            Clustering start, Clustering reference, long plainNanos) {
        long begin = System.nanoTime();
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(
                settings.redundancy().of(ReStore.builder(communicator)), settings.cloud().points(),
                settings.cloud().dimensions());
                CheckpointLoop loop = new CheckpointLoop(communicator, balancer, CheckpointInterval.iterations(1))
                        .onRecovery(drill::noteRecovery)) {
            LocalRows<double[]> mine = loop.keep(array.constant(
                    rows -> rows.equals(own) ? points : settings.cloud().rows(rows)));
            // No iteration: the points are submitted.
            loop.run(0, (comm, iteration) -> {});
            long submitted = System.nanoTime();
            try {
                drill.begin(loop);
                Clustering now = start;
                for (int iteration = 1; iteration <= settings.iterations(); iteration++) {
                    Clustering before = now;
                    drill.enter(iteration);
                    now = loop.evaluate(comm -> {
                        drill.injectFailures(comm, settings.failures());
                        return iterate(comm, mine.ids(), mine.values(), before);
                    });
                    drill.iterationDone(loop, now.inertia());
                }
                return drill.finished(loop, now, reference,
                        new DrillOutcome.Times(plainNanos, submitted - begin, System.nanoTime() - submitted));
            } catch (IrrecoverableDataLossException loss) {
                return drill.lost(loop, loss);
            } finally {
                communicator = loop.communicator();
            }
        }
    }

    /** One iteration; changes nothing, so that it can be repeated with more points. */
    private Clustering iterate(Communicator comm, BlockRanges rows, double[] points, Clustering before) {
        ClusterSums sums = new ClusterSums(settings.clusters(), settings.cloud().dimensions());
        sums.add(rows, points, before.centres());
        comm.allReduce(sums.values(), Reduction.SUM);
        return sums.moved(before.centres());
    }
}
