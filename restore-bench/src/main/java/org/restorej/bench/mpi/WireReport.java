package org.restorej.bench.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.block.BlockRange;
import org.restorej.comm.mpi.Mpi;
import org.restorej.placement.FailedRanks;

/**
 * Submits and pulls beside their wire limit, by turns: what else happens on the machine happens to both. Quicker than
 * the suite, for those who work on the protocols; not JMH.
 *
 * <pre>{@code
 * bin/mpirun-java -n 4 --cp restore-bench/target/restore-bench-0.1.0-SNAPSHOT-all.jar \
 *     org.restorej.bench.mpi.WireReport [BYTES_PER_PE [BLOCK_BYTES]]
 * }</pre>
 *
 * <p>
 * The data set is the suite's: 16 MiB a rank in blocks of 64 bytes unless arguments say otherwise, K = 4, permutation
 * ranges of 256 KiB. Times are from a barrier until all are done; printed are medians and quartiles of 25 after 60
 * calls to warm up, and the first call on the store. What was moved is checked before and after.
 */
public final class WireReport {
    private static final int WARM_UPS = 60;
    private static final int REPETITIONS = 25;
    private static final long BYTES = 16 << 20;
    private static final long BLOCK_BYTES = 64;
    private static final long PERMUTATION_RANGE_BYTES = 256 << 10;

    private final RankWorld ranks;
    private final StoreShape shape;

    private WireReport(RankWorld ranks, StoreShape shape) {
        this.ranks = ranks;
        this.shape = shape;
    }

    /** Prints the report. */
    public static void main(String[] args) {
        long bytes = args.length > 0 ? Long.parseLong(args[0]) : BYTES;
        long blockBytes = args.length > 1 ? Long.parseLong(args[1]) : BLOCK_BYTES;
        RankWorld ranks = RankWorld.open();
        new WireReport(ranks, new StoreShape(ranks.size(), bytes, blockBytes, 4, PERMUTATION_RANGE_BYTES)).print();
        Mpi.finish(ranks.communicator());
    }

    private void print() {
        say(String.format(Locale.ROOT, "%d PEs, %d blocks of %d bytes, medians of %d (quartiles) [ms]", shape.pes(),
                shape.blocks(), shape.blockBytes(), REPETITIONS));
        say(String.format(Locale.ROOT, "%-16s %8s %24s %24s %6s", "", "first", "store", "wire limit", "ratio"));
        BlockRange submitted = shape.share(ranks.rank() + 1);
        compare("submit", new StoreSubmit(shape, shape.store(ranks.communicator()), submitted, StoreSubmit.Way.PLAIN),
                traffic -> PeerBytes.intoReplicas(ranks.plain().communicator(), traffic.sentBySubmit(submitted)));
        for (PullPattern pattern : List.of(PullPattern.SHARE, PullPattern.ALL)) {
            BlockRange wanted = pattern.request(shape, ranks.rank());
            compare("pull: " + pattern, new StorePull(shape, shape.filledStore(ranks.communicator()),
                    rank -> pattern.request(shape, rank.value()), false),
                    traffic -> PeerBytes.outOfReplicas(ranks.plain().communicator(),
                            traffic.receivedByPull(wanted, ranks.rank(), FailedRanks.NONE)));
        }
    }

    private void say(String line) {
        if (ranks.rank() == 0) {
            System.out.println(line);
        }
    }

    private void compare(String what, Exchange store, Function<BlockTraffic, PeerBytes> traffic) {
        try (store; Exchange wire = StoreBenchmark.plain(ranks, shape, "wire", traffic, store.bytes())) {
            double first = millis(store);
            store.check();
            millis(wire);
            wire.check();
            List<Double> storeMillis = new ArrayList<>();
            List<Double> wireMillis = new ArrayList<>();
            for (int repetition = -WARM_UPS; repetition < REPETITIONS; repetition++) {
                double ofWire = millis(wire);
                double ofStore = millis(store);
                if (repetition >= 0) {
                    wireMillis.add(ofWire);
                    storeMillis.add(ofStore);
                }
            }
            wire.clear();
            millis(wire);
            wire.check();
            store.clear();
            millis(store);
            store.check();
            Measurement ours = measurement(storeMillis);
            Measurement theirs = measurement(wireMillis);
            say(String.format(Locale.ROOT, "%-16s %8.2f %24s %24s %6.2f", what, first, spread(ours), spread(theirs),
                    ours.median() / theirs.median()));
            ranks.barrier();
        }
    }

    private double millis(Exchange exchange) {
        ranks.barrier();
        long start = System.nanoTime();
        exchange.run();
        ranks.barrier();
        return (System.nanoTime() - start) / 1e6;
    }

    private static Measurement measurement(List<Double> millis) {
        return new Measurement(new BenchmarkKey("", new TreeMap<>()), "ms/op", millis, OptionalDouble.empty(),
                Map.of());
    }

    private static String spread(Measurement millis) {
        return String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", millis.median(), millis.lowerQuartile(),
                millis.upperQuartile());
    }
}
