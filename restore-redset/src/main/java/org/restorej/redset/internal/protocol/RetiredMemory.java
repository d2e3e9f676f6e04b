package org.restorej.redset.internal.protocol;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.comm.RankMap;

/**
 * Memory of operations that a failed process has ended. Their channel is closed before the survivors have shrunk,
 * and an MPI may still use the memory of a request that it has cancelled (seen in Open MPI 5.0.7). The memory is
 * freed when this process has made another channel for processes that all were in that one: then the survivors have
 * shrunk, and MPI has been used since. Thread-safe.
 */
final class RetiredMemory {
    private static final List<Retired> KEPT = new ArrayList<>();

    /**
     * Memory of one channel.
     *
     * @param ranks of its processes
     */
    private record Retired(RankMap ranks, List<Arena> memory) {}

    private RetiredMemory() {}

    static synchronized void add(RankMap ranks, List<Arena> memory) {
        KEPT.add(new Retired(ranks, List.copyOf(memory)));
    }

    /** A channel is made for processes with these ranks. */
    static synchronized void free(RankMap ranks) {
        KEPT.removeIf(retired -> {
            boolean over = IntStream.range(0, ranks.size())
                    .allMatch(rank -> retired.ranks().currentRankOf(ranks.originalRankOf(rank)) >= 0);
            if (over) {
                retired.memory().forEach(Arena::close);
            }
            return over;
        });
    }
}
