package org.restorej.demo.pagerank;

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
 * One PE's part of PageRank by power iteration; all PEs do theirs. An edge is a row of a {@link ReplicatedArray}; the
 * ranks are on every PE. First without the store and without failures, as something to compare with; then with both.
 *
 * <p>
 * To make a program of your own of it, take {@link #withFailures} and leave the {@code drill} out: that makes PEs fail
 * on schedule and keeps times.
 */
public final class PageRank implements PeTask<DrillOutcome<Ranks>> {
    /** Two ends. */
    private static final int EDGE_LENGTH = 2;

    private final PageRankSettings settings;
    private final FailureDrill drill;
    private Communicator communicator;

    /**
     * Prepares this PE.
     *
     * @param world all PEs
     * @param settings the same on every PE
     * @param progress is told by one PE at a time
     */
    public PageRank(Communicator world, PageRankSettings settings, Progress progress) {
        this.communicator = world;
        this.settings = settings;
        drill = new FailureDrill(progress);
    }

    @Override
    public Communicator communicator() {
        return communicator;
    }

    @Override
    public DrillOutcome<Ranks> run() {
        LoadBalancer balancer = LoadBalancer.equal(communicator.size(), settings.graph().edgeCount());
        BlockRanges own = balancer.assignment().blocksOf(StoreRank.of(communicator));
        int[] edges = settings.graph().edges(own);
        Ranks start = Ranks.uniform(settings.graph().vertexCount());
        // Once for nothing, so that the first of the two runs doesn't pay for loading classes.
        iterate(communicator, edges, outDegrees(communicator, edges), start);
        long begin = System.nanoTime();
        long[] outDegrees = outDegrees(communicator, edges);
        Ranks reference = start;
        for (int iteration = 1; iteration <= settings.iterations(); iteration++) {
            reference = iterate(communicator, edges, outDegrees, reference);
        }
        return withFailures(balancer, own, edges, start, reference, System.nanoTime() - begin);
    }

    private DrillOutcome<Ranks> withFailures(LoadBalancer balancer, BlockRanges own, int[] edges, Ranks start,
            Ranks reference, long plainNanos) {
        long begin = System.nanoTime();
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(
                settings.redundancy().of(ReStore.builder(communicator)), settings.graph().edgeCount(),
                EDGE_LENGTH);
                CheckpointLoop loop = new CheckpointLoop(communicator, balancer, CheckpointInterval.iterations(1))
                        .onRecovery(drill::noteRecovery)) {
            LocalRows<int[]> mine = loop.keep(array.constant(
                    rows -> rows.equals(own) ? edges : settings.graph().edges(rows)));
            // No iteration: the edges are submitted.
            loop.run(0, (comm, iteration) -> {});
            long submitted = System.nanoTime();
            try {
                drill.begin(loop);
                long[] outDegrees = loop.evaluate(comm -> outDegrees(comm, mine.values()));
                Ranks now = start;
                for (int iteration = 1; iteration <= settings.iterations(); iteration++) {
                    Ranks before = now;
                    drill.enter(iteration);
                    now = loop.evaluate(comm -> {
                        drill.injectFailures(comm, settings.failures());
                        return iterate(comm, mine.values(), outDegrees, before);
                    });
                    drill.iterationDone(loop, now.change());
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

    private long[] outDegrees(Communicator comm, int[] edges) {
        long[] degrees = RankFlow.outDegrees(settings.graph().vertexCount(), edges);
        comm.allReduce(degrees, Reduction.SUM);
        return degrees;
    }

    /** One iteration; changes nothing, so that it can be repeated with more edges. */
    private Ranks iterate(Communicator comm, int[] edges, long[] outDegrees, Ranks before) {
        long[] incoming = RankFlow.incoming(edges, outDegrees, before);
        comm.allReduce(incoming, Reduction.SUM);
        return RankFlow.next(incoming, outDegrees, before, settings.damping());
    }
}
