package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.mpi.rival.WireLimit;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Reduction;
import org.restorej.placement.Placement;
import org.restorej.placement.StoreRank;
import org.restorej.report.StoreReport.Operation;

/**
 * What each rank runs to measure coded blocks beside as many copies as survive the same failures: two stores of the same
 * data in one job, called alternately from their first calls on. They submit and pull; then the last rank counts as
 * failed, and the survivors pull again and re-replicate. Beside them plain messages of the bytes of a coded submit, and
 * the two {@linkplain ParitySums ways of partial sums}. The first rank writes results down as JMH would.
 */
public final class CodedLife {
    /** Name of the parameter that tells the code. */
    public static final String CODE = "code";
    /** Name of the parameter that tells who has failed before a pull: nobody, or one rank. */
    public static final String FAILED = "failed";
    /** The method of the code. */
    public static final String CODED = "coded";
    /** The method of copies. */
    public static final String COPIES = "replication";

    private static final String NOBODY = "nobody";
    private static final String ONE_RANK = "one rank";
    private static final String PARITY = "parity";
    private static final int MOST_REPAIRS = 8;

    private final RankWorld ranks;
    private final Redundancy code;
    private final LifeResults results;
    private final List<Stored> stores;

    /** One of the stores, the coded one first. */
    private record Stored(String method, StoreShape shape, ReStore store) {}

    private CodedLife(RankWorld ranks, long bytesPerPe, Redundancy code, LifeResults results) {
        this.ranks = ranks;
        this.code = code;
        this.results = results;
        StoreShape shape = JobLife.shape(ranks, bytesPerPe);
        stores = List.of(stored(CODED, shape.with(code)),
                stored(COPIES, shape.with(Redundancy.copies(code.parityParts() + 1))));
    }

    /**
     * Measures. Arguments: the file for the results, bytes of a rank, number of turns, a name for how the JVM was
     * started, and the code.
     */
    public static void main(String[] args) {
        RankWorld ranks = RankWorld.open();
        long bytesPerPe = Long.parseLong(args[1]);
        List<String> errors = new ArrayList<>();
        Redundancy code = Redundancy.code(args[4], ranks.size(), errors)
                .orElseThrow(() -> new IllegalArgumentException(String.join("; ", errors)));
        LifeResults results = new LifeResults(CodedLife.class, ranks.size(), bytesPerPe, args[3]);
        results.measure(ranks, Path.of(args[0]),
                () -> new CodedLife(ranks, bytesPerPe, code, results).live(Integer.parseInt(args[2])));
    }

    private Stored stored(String method, StoreShape shape) {
        return new Stored(method, shape, shape.store(ranks.communicator()));
    }

    private void live(int turns) {
        List<LifePart> submits = new ArrayList<>();
        for (Stored each : stores) {
            submits.add(part(JobLife.SUBMIT, each.method(), new StoreSubmit(each.shape(), each.store(),
                    each.shape().share(ranks.rank() + 1), StoreSubmit.Way.PLAIN)));
        }
        call(1, submits);
        long[] sentBytes = stores.stream()
                .mapToLong(each -> each.store().report().totals(Operation.SUBMIT).sentBytes()).toArray();
        List<LifePart> rivals = rivals(sentBytes[0]);
        List<LifePart> pulls = pulls(NOBODY, wishes());
        call(turns, Stream.of(submits, rivals, pulls).flatMap(List::stream).toList());
        for (int i = 0; i < stores.size(); i++) {
            note(submits.get(i), counted(stores.get(i), submits.get(i).exchange(), sentBytes[i]));
        }
        rivals.forEach(part -> note(part,
                part.exchange() instanceof ParitySums sums ? Map.of("sentBytes", sums.sentBytes()) : Map.of()));
        pulls.forEach(part -> note(part, Map.of()));
        close(rivals);
        pullWithoutOneRank(turns);
        close(pulls);
        close(submits);
        List<LifePart> repairs = stores.stream()
                .map(each -> part("replenish", each.method(), new SurvivorReplenish(each.shape(), ranks))).toList();
        call(Math.min(turns, MOST_REPAIRS), repairs);
        repairs.forEach(part -> note(part, Map.of()));
        close(repairs);
    }

    private void pullWithoutOneRank(int turns) {
        Map<String, Function<StoreRank, BlockRanges>> wishes = wishes();
        // The failed rank would have none.
        wishes.remove("wholes");
        if (!ranks.isDead()) {
            stores.forEach(each -> each.store().recover(ranks.survivors()));
        }
        List<LifePart> pulls = pulls(ONE_RANK, wishes);
        call(turns, pulls);
        pulls.forEach(part -> note(part, Map.of()));
        close(pulls);
    }

    /** Plain messages of as many bytes as a coded submit has sent, and parity sums. */
    private List<LifePart> rivals(long sentBytes) {
        long[] evenly = new long[ranks.size()];
        Arrays.fill(evenly, sentBytes / Math.max(1, ranks.size() - 1) / Long.BYTES * Long.BYTES);
        evenly[ranks.rank()] = 0;
        StoreShape coded = stores.getFirst().shape();
        List<LifePart> rivals = new ArrayList<>();
        rivals.add(part(JobLife.SUBMIT, "wire", new WireLimit(ranks.plain().communicator(),
                PeerBytes.intoReplicas(ranks.plain().communicator(), evenly), coded.bytesPerPe(),
                coded.bytesPerPe())));
        for (ParitySums.Way way : ParitySums.Way.values()) {
            rivals.add(part(PARITY, way.text(), new ParitySums(ranks.communicator(), code, coded.bytesPerPe(),
                    coded.cellBlocks() * coded.blockBytes(), way)));
        }
        return rivals;
    }

    /**
     * What a rank wants: the share of another; its part of what the last rank has submitted; and its part of the blocks
     * whose only holder in the coded store is the last rank, all of which are computed when that has failed.
     */
    private Map<String, Function<StoreRank, BlockRanges>> wishes() {
        Stored coded = stores.getFirst();
        BlockRanges held = heldBy(ranks.deadRank(), coded.shape(), coded.store());
        Map<String, Function<StoreRank, BlockRanges>> wishes = new LinkedHashMap<>();
        wishes.put("wholes", rank -> BlockRanges.of(PullPattern.ALL.request(coded.shape(), rank.value())));
        wishes.put("share", rank -> BlockRanges.of(RecoveryBenchmark.request(coded.shape(), ranks, rank.value())));
        wishes.put("held", rank -> {
            BlockRange part = RecoveryBenchmark.part(0, held.blockCount(), ranks, rank.value());
            return held.slice(part.first(), part.end());
        });
        return wishes;
    }

    /** The blocks whose only holder in a coded store is a PE, as long as nobody has failed; a row is a permutation range. */
    static BlockRanges heldBy(int rank, StoreShape shape, ReStore store) {
        BlockRanges.Builder held = new BlockRanges.Builder();
        Placement placement = store.placement();
        for (long first = 0; first < shape.blocks(); first += shape.cellBlocks()) {
            int part = (int) (first / shape.cellBlocks() % shape.redundancy().dataParts());
            if (placement.holder(store.rangeOf(first), part) == rank) {
                held.add(first, Math.min(shape.cellBlocks(), shape.blocks() - first));
            }
        }
        return held.build();
    }

    private List<LifePart> pulls(String failed, Map<String, Function<StoreRank, BlockRanges>> wishes) {
        List<LifePart> pulls = new ArrayList<>();
        wishes.forEach((name, wish) -> stores.forEach(each -> pulls.add(LifePart.of(name,
                Map.of(BenchmarkKey.METHOD, each.method(), CODE, code.value(), FAILED, failed),
                failed.equals(ONE_RANK) && ranks.isDead()
                        ? new NoTraffic()
                        : new StorePull(each.shape(), each.store(), wish, false)))));
        return pulls;
    }

    /**
     * What a store counts of its submits, and what the system counts of a process meanwhile, of the rank that has most:
     * memory at rest; at the peak of a submit, when two generations are there; and that by the growth of the process in
     * a submit without spare memory, buffers and parity of a round included. Collective.
     */
    private Map<String, Long> counted(Stored stored, Exchange submit, long sentBytes) {
        stored.store().releaseSpareMemory();
        long restBytes = stored.store().report().memory().totalBytes();
        ranks.barrier();
        long before = ProcessMemory.residentBytes();
        boolean seesPeak = ProcessMemory.forgetPeak();
        submit.run();
        long grownBytes = ProcessMemory.peakBytes() - before;
        long[] most = {sentBytes, restBytes, stored.store().report().memory().totalBytes(),
                seesPeak ? restBytes + grownBytes : 0};
        ranks.communicator().allReduce(most, Reduction.MAX);
        Map<String, Long> counted = new LinkedHashMap<>(Map.of("sentBytes", most[0], "restBytes", most[1], "peakBytes",
                most[2], "processPeakBytes", most[3], "computedBytes", stored.shape().redundantBytes()));
        counted.values().removeIf(bytes -> bytes == 0);
        return counted;
    }

    private LifePart part(String name, String method, Exchange exchange) {
        return LifePart.of(name, Map.of(BenchmarkKey.METHOD, method, CODE, code.value()), exchange);
    }

    /** Calls all alternately, until each was called so often. */
    private void call(int turns, List<LifePart> parts) {
        for (int turn = 0; turn < turns; turn++) {
            for (LifePart part : parts) {
                if (part.millis().size() <= turn) {
                    part.call(ranks);
                }
            }
        }
    }

    private void note(LifePart part, Map<String, Long> bytes) {
        part.check();
        results.noteCalls(part, bytes);
    }

    private void close(List<LifePart> parts) {
        ranks.barrier();
        parts.forEach(part -> part.exchange().close());
    }
}
