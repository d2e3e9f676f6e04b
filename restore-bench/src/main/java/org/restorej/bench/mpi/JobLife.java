package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.mpi.rival.WireLimit;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/**
 * What each rank runs to measure the life of a job, as an application lives it: it builds a store, then alternately
 * submits, pulls the share of a failed PE, and pulls whole shares, each beside its raw MPI baseline, and exchanges a
 * few small messages (NBX), beside a program in C where there is a compiler. Nothing is warmed up, so this is not JMH.
 * The first calls and the later ones are told apart; the first rank writes them down as JMH would.
 */
public final class JobLife {
    /** Name of the time from the first line of {@code main} to a built store. */
    public static final String FROM_MAIN = "fromMain";
    /**
     * Name of what rank 0 has in memory (RSS) when it has built a store, and more after its first submit, without the
     * replicas: the memory of the JVM, of MPI and of the store, of no data.
     */
    public static final String RESIDENT = "residentBytes";
    /** Name of the parameter that tells which calls. */
    public static final String CALLS = "calls";
    /** The first call. */
    public static final String FIRST = "1";
    /** The calls of a job's beginning. */
    public static final String EARLY = "2 to 20";
    /** All later calls. */
    public static final String WARM = "later";
    /** Name of the parameter that tells how the JVM was started. */
    public static final String SETTING = "jvm";

    static final String SUBMIT = "submit";
    private static final int MESSAGES = 64;
    private static final int MESSAGE_BYTES = 64;
    static final int REPLICATION = 4;
    private static final long BLOCK_BYTES = 64;
    static final long PERMUTATION_RANGE_BYTES = 256 << 10;

    private final RankWorld ranks;
    private final StoreShape shape;
    private final long mainNanos;
    private final LifeResults results;
    /** 0 until the first submit, and where the system doesn't tell. */
    private long residentBytes;

    private JobLife(RankWorld ranks, StoreShape shape, LifeResults results, long mainNanos) {
        this.mainNanos = mainNanos;
        this.ranks = ranks;
        this.shape = shape;
        this.results = results;
    }

    /**
     * Measures. Arguments: the file for the results, bytes of a rank, number of turns, and a name for how the JVM was
     * started.
     */
    public static void main(String[] args) {
        long mainNanos = System.nanoTime();
        RankWorld ranks = RankWorld.open();
        StoreShape shape = shape(ranks, Long.parseLong(args[1]));
        LifeResults results = new LifeResults(JobLife.class, ranks.size(), shape.bytesPerPe(), args[3]);
        results.measure(ranks, Path.of(args[0]),
                () -> new JobLife(ranks, shape, results, mainNanos).live(Integer.parseInt(args[2])));
    }

    /** Of the stores of these jobs. */
    static StoreShape shape(RankWorld ranks, long bytesPerPe) {
        return new StoreShape(ranks.size(), bytesPerPe, BLOCK_BYTES, REPLICATION, PERMUTATION_RANGE_BYTES);
    }

    private void live(int turns) {
        // Not by the rivals' communicator, which would be made first.
        ranks.communicator().barrier();
        long start = System.nanoTime();
        ReStore store = shape.store(ranks.communicator());
        ranks.communicator().barrier();
        note("build", "restore", FIRST, List.of(millisSince(start)));
        note(FROM_MAIN, "restore", FIRST, List.of(millisSince(mainNanos)));
        long builtBytes = ProcessMemory.residentBytes();
        List<LifePart> parts = parts(store);
        long beforeBytes = ProcessMemory.residentBytes();
        for (int turn = 0; turn < turns; turn++) {
            for (LifePart part : parts) {
                part.call(ranks);
                if (turn == 0 && isSubmit(part) && builtBytes > 0) {
                    residentBytes = builtBytes + ProcessMemory.residentBytes() - beforeBytes - store.replicaBytes();
                }
            }
        }
        parts.forEach(LifePart::check);
        ranks.barrier();
        parts.forEach(part -> {
            part.exchange().close();
            results.noteCalls(part,
                    isSubmit(part) && residentBytes > 0 ? Map.of(RESIDENT, residentBytes) : Map.of());
        });
    }

    private static boolean isSubmit(LifePart part) {
        return part.name().equals(SUBMIT) && part.exchange() instanceof StoreSubmit;
    }

    private List<LifePart> parts(ReStore store) {
        List<LifePart> parts = new ArrayList<>();
        BlockRange submitted = shape.share(ranks.rank() + 1);
        add(parts, SUBMIT, store, new StoreSubmit(shape, store, submitted),
                traffic -> PeerBytes.intoReplicas(ranks.plain().communicator(), traffic.sentBySubmit(submitted)));
        Map<String, PullPattern> pulls = new TreeMap<>(Map.of("share", PullPattern.SHARE, "wholes", PullPattern.ALL));
        pulls.forEach((name, pattern) -> {
            BlockRange wanted = pattern.request(shape, ranks.rank());
            add(parts, name, store,
                    new StorePull(shape, store, rank -> BlockRanges.of(pattern.request(shape, rank.value()))),
                    traffic -> PeerBytes.outOfReplicas(ranks.plain().communicator(),
                            traffic.receivedByPull(wanted, ranks.rank(), FailedRanks.NONE)));
        });
        parts.add(LifePart.of("nbx", "nbx", new NbxRound(ranks, messages())));
        Path library = NbxFromC.library();
        if (library != null) {
            parts.add(LifePart.of("nbx", "nbx-c", new NbxFromC(ranks, messages(), library)));
        }
        return parts;
    }

    private SparseMessages messages() {
        return SparseMessages.of(ranks, MESSAGES, MESSAGE_BYTES);
    }

    private void add(List<LifePart> parts, String name, ReStore store, Exchange ours,
            Function<BlockTraffic, PeerBytes> traffic) {
        parts.add(LifePart.of(name, "restore", ours));
        parts.add(LifePart.of(name, "wire", new WireLimit(ranks.plain().communicator(),
                traffic.apply(new BlockTraffic(store)), shape.bytesPerPe(), ours.bytes())));
    }

    private static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }

    private void note(String name, String method, String calls, List<Double> millis) {
        results.note(name, calls, millis, Map.of(BenchmarkKey.METHOD, method));
    }
}
