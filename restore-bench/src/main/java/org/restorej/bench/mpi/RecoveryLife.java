package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.mpi.rival.WireLimit;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.mpi.Mpi;
import org.restorej.placement.FailedRanks;

/**
 * What each rank runs to measure a job's first recovery as a whole: after its first submit the survivors make their
 * communicator, recover the store, and fetch what the last rank had, in equal parts. The last rank does nothing
 * meanwhile. Beside it the MPI calls alone, afterwards: a communicator of the survivors, and the same bytes by plain
 * messages. The first rank writes both down as JMH would.
 */
public final class RecoveryLife {
    /** Name of the time. */
    public static final String NAME = "recovery";

    private final RankWorld ranks;
    private final StoreShape shape;
    private final LifeResults results;

    private RecoveryLife(RankWorld ranks, StoreShape shape, LifeResults results) {
        this.ranks = ranks;
        this.shape = shape;
        this.results = results;
    }

    /** Measures. Arguments: the file for the results, bytes of a rank, and a name for how the JVM was started. */
    public static void main(String[] args) {
        RankWorld ranks = RankWorld.open();
        StoreShape shape = JobLife.shape(ranks, Long.parseLong(args[1]));
        LifeResults results = new LifeResults(JobLife.class, ranks.size(), shape.bytesPerPe(), args[2]);
        results.measure(ranks, Path.of(args[0]), () -> new RecoveryLife(ranks, shape, results).recover());
    }

    private void recover() {
        ReStore store = shape.filledStore(ranks.communicator());
        try (StorePull pull = new StorePull(shape, store,
                rank -> BlockRanges.of(RecoveryBenchmark.request(shape, ranks, rank.value())))) {
            note("restore", () -> {
                store.recover(ranks.survivors());
                pull.run();
            });
            if (!ranks.hasFailed()) {
                pull.check();
            }
            try (WireLimit wire = wire(store)) {
                note("wire", () -> {
                    Mpi.without(ranks.communicator(), Set.of(ranks.failedRank())).close();
                    wire.run();
                });
            }
        }
    }

    private WireLimit wire(ReStore store) {
        BlockRange wanted = RecoveryBenchmark.request(shape, ranks, ranks.rank());
        return new WireLimit(ranks.plain().communicator(),
                PeerBytes.outOfReplicas(ranks.plain().communicator(), new BlockTraffic(store).receivedByPull(wanted,
                        ranks.rank(), FailedRanks.of(ranks.failedRank()))),
                shape.bytesPerPe(), shape.bytesOf(wanted).bytes());
    }

    private void note(String method, Runnable ofSurvivors) {
        double millis = ranks.millis(ranks.hasFailed() ? () -> {} : ofSurvivors);
        results.note(NAME, JobLife.FIRST, List.of(millis), Map.of(BenchmarkKey.METHOD, method));
    }
}
