package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.LinearMap;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Carries out the {@link ReductionChains} of a set in one process that reaches the files of all members, as ranks do by
 * messages. Several threads work, each on one chain at a time. Memory of a thread: a piece of each member of a chain,
 * {@value #MOST_BYTES} bytes together at most.
 *
 * @param operations the file system
 * @param kernel the arithmetic
 * @param set the members
 * @param locations where the files of each member are, by rank
 * @param threads how many work at once
 */
public record LocalReduction(FileOperations operations, ErasureKernel kernel, SetDescription set,
        List<MemberLocation> locations, int threads) {
    /** Large enough that a disk reads it in one go, and that calls cost nothing. */
    private static final long PIECE_BYTES = 1 << 20;
    private static final long MOST_BYTES = 64 << 20;
    private static final long ALIGNMENT = 64;

    /** Copies the list. */
    public LocalReduction {
        locations = List.copyOf(locations);
    }

    /** Takes what was computed for a target; may use other memory of the same length. */
    @FunctionalInterface
    private interface Result {
        void take(ReductionChain.Member target, long offset, MemorySegment computed, MemorySegment other)
                throws IOException;
    }

    /** Says where the results of a chain go. */
    @FunctionalInterface
    private interface Results {
        Result of(ReductionChain chain, Readers readers);
    }

    /** Reads members; opens each file when it is first needed. Used by one thread. */
    private final class Readers implements AutoCloseable {
        private final Map<Integer, MemberReader> byRank = new HashMap<>();

        void read(ReductionChain.Member member, long offset, MemorySegment target) throws IOException {
            byRank.computeIfAbsent(member.rank(),
                    rank -> new MemberReader(operations, set.member(rank), locations.get(rank)))
                    .read(member.extent(), offset, target);
        }

        @Override
        public void close() throws IOException {
            for (MemberReader reader : byRank.values()) {
                reader.close();
            }
        }
    }

    /**
     * Computes the bytes of all targets. Those of one extent come in sequence; several threads write.
     *
     * @param writers take the bytes of each rank
     * @param progress called by several threads when so many more bytes were computed
     */
    public void run(List<ReductionChain> chains, IntFunction<MemberWriter> writers, LongConsumer progress)
            throws IOException {
        run(chains, (chain, readers) -> (target, offset, computed, other) -> {
            writers.apply(target.rank()).write(target.extent(), offset, computed);
            progress.accept(computed.byteSize());
        });
    }

    /**
     * Compares stored redundancy and data: without missing members all of the redundancy, with missing ones what
     * rebuilding them doesn't use up. If they disagree, a data file or a redundancy file has changed; only checksums
     * can say which one. Reads everything also when something disagrees: a file that can't be read is an error.
     *
     * @param missing ranks that are not read; can be rebuilt
     * @return numbers of the chains that disagree; in a coded set the rank of that number stores the first checksum of
     *         the row
     */
    public BitSet disagreeing(BitSet missing) throws IOException {
        BitSet disagreeing = new BitSet();
        List<ReductionChain> chains = ReductionChains.rebuildAndCompare(set, missing).stream()
                .filter(chain -> chain.targets().stream().anyMatch(target -> !missing.get(target.rank()))).toList();
        run(chains, (chain, readers) -> (target, offset, computed, other) -> {
            if (missing.get(target.rank())) {
                return;
            }
            readers.read(target, offset, other);
            if (other.mismatch(computed) >= 0) {
                synchronized (disagreeing) {
                    disagreeing.set(chain.number());
                }
            }
        });
        return disagreeing;
    }

    private void run(List<ReductionChain> chains, Results results) throws IOException {
        int slots = 1
                + chains.stream().mapToInt(chain -> chain.sources().size() + chain.targets().size()).max().orElse(0);
        long longest = chains.stream().mapToLong(ReductionChain::bytes).max().orElse(0);
        if (longest == 0) {
            return;
        }
        long pieceBytes = Math.min(Math.ceilDiv(longest, ALIGNMENT) * ALIGNMENT,
                Math.min(PIECE_BYTES, MOST_BYTES / slots & -ALIGNMENT));
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean failed = new AtomicBoolean();
        runOnThreads(Math.clamp(threads, 1, chains.size()), () -> {
            try (Readers readers = new Readers(); Arena arena = NativeMemory.openConfined()) {
                MemorySegment memory = arena.allocate(slots * pieceBytes, ALIGNMENT);
                for (int i = next.getAndIncrement(); i < chains.size() && !failed.get(); i = next.getAndIncrement()) {
                    compute(chains.get(i), readers, memory, pieceBytes, results.of(chains.get(i), readers));
                }
            } catch (Throwable failure) {
                failed.set(true);
                throw failure;
            }
        });
    }

    private void compute(ReductionChain chain, Readers readers, MemorySegment memory, long pieceBytes, Result result)
            throws IOException {
        GaloisMatrix matrix = chain.matrix();
        LinearMap map = matrix == null ? null : kernel.prepare(matrix);
        MemorySegment[] sources = new MemorySegment[chain.sources().size()];
        MemorySegment[] targets = new MemorySegment[chain.targets().size()];
        for (long offset = 0; offset < chain.bytes(); offset += pieceBytes) {
            long bytes = Math.min(pieceBytes, chain.bytes() - offset);
            for (int source = 0; source < sources.length; source++) {
                sources[source] = memory.asSlice(source * pieceBytes, bytes);
                readers.read(chain.sources().get(source), offset, sources[source]);
            }
            for (int target = 0; target < targets.length; target++) {
                targets[target] = map == null
                        ? sources[0]
                        : memory.asSlice((sources.length + target) * pieceBytes, bytes);
            }
            if (map != null) {
                map.apply(sources, targets);
            }
            for (int target = 0; target < targets.length; target++) {
                result.take(chain.targets().get(target), offset, targets[target],
                        memory.asSlice(memory.byteSize() - pieceBytes, bytes));
            }
        }
    }

    /** What a thread does. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /** The first failure is thrown after all threads have stopped. */
    private static void runOnThreads(int threads, Work work) throws IOException {
        List<Future<Boolean>> running = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int thread = 0; thread < threads; thread++) {
                running.add(executor.submit(() -> {
                    work.run();
                    return true;
                }));
            }
        }
        for (Future<Boolean> each : running) {
            try {
                each.get();
            } catch (ExecutionException failure) {
                if (failure.getCause() instanceof IOException reason) {
                    throw new IOException(reason.getMessage(), reason);
                }
                throw new IllegalStateException("a thread failed", failure.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
        }
    }
}
