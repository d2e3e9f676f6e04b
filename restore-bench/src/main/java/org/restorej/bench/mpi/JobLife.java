package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.placement.FailedRanks;

/**
 * What each rank runs to measure the life of a job, as an application lives it: it builds a store, then alternately
 * submits, pulls the share of a failed PE, and pulls whole shares, each beside its raw MPI baseline, and exchanges a
 * few small messages (NBX). Nothing is warmed up, so this is not JMH.
 */
public final class JobLife {
    private JobLife() {}

    /** An operation of the job, or a rival's, and how long its calls took. */
    private record Part(String name, Exchange exchange, List<Double> millis) {
        static Part of(String name, Exchange exchange) {
            return new Part(name, exchange, new ArrayList<>());
        }
    }

    /** Measures. Arguments: the file for the times, bytes of a rank, and the number of turns. */
    public static void main(String[] args) {
        long mainNanos = System.nanoTime();
        RankWorld.live(Path.of(args[0]),
                ranks -> times(ranks, Long.parseLong(args[1]), Integer.parseInt(args[2]), mainNanos));
    }

    private static Map<String, List<Double>> times(RankWorld ranks, long bytes, int turns, long mainNanos) {
        StoreShape shape = new StoreShape(ranks.size(), bytes);
        // Not by the rivals' communicator, which would be made first.
        ranks.communicator().barrier();
        long start = System.nanoTime();
        ReStore store = shape.store(ranks.communicator());
        ranks.communicator().barrier();
        Map<String, List<Double>> times = new LinkedHashMap<>();
        times.put("build", List.of(millisSince(start)));
        times.put("fromMain", List.of(millisSince(mainNanos)));
        List<Part> parts = parts(ranks, shape, store);
        for (int turn = 0; turn < turns; turn++) {
            parts.forEach(part -> part.millis().add(ranks.millis(part.exchange()::run)));
        }
        for (Part part : parts) {
            // One more call, not measured, whose every byte is looked at.
            part.exchange().clear();
            part.exchange().run();
            part.exchange().check();
            times.put(part.name(), part.millis());
        }
        ranks.barrier();
        parts.forEach(part -> part.exchange().close());
        return times;
    }

    private static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }

    private static List<Part> parts(RankWorld ranks, StoreShape shape, ReStore store) {
        BlockRange submitted = shape.share(ranks.rank() + 1);
        BlockRange share = shape.partOfShare(0, ranks.size(), ranks.rank());
        return List.of(Part.of("submit", StoreSubmit.of(shape, store, submitted)),
                Part.of("submit/wire", WireLimit.ofSubmit(ranks, shape, store, submitted)),
                Part.of("share", new StorePull(shape, store, share)),
                Part.of("share/wire", WireLimit.ofPull(ranks, shape, store, share, FailedRanks.NONE)),
                Part.of("wholes", new StorePull(shape, store, submitted)),
                Part.of("wholes/wire", WireLimit.ofPull(ranks, shape, store, submitted, FailedRanks.NONE)),
                Part.of("nbx", new NbxRound(ranks)));
    }
}
