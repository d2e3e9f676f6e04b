package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Runs the chains of a set in one process that owns all members. Several threads work, each in a {@link PieceLoop} on
 * chains of its own.
 *
 * @param operations the file system
 * @param kernel the arithmetic
 * @param set the members
 * @param locations where the files of each member are, by rank
 * @param threads how many work at once
 */
public record LocalPieces(FileOperations operations, ErasureKernel kernel, SetDescription set,
        List<MemberLocation> locations, int threads) {
    /** Large enough that a disk reads it in one go, and that calls cost nothing. */
    private static final long PIECE_BYTES = 1 << 20;

    /** Copies the list. */
    public LocalPieces {
        locations = List.copyOf(locations);
    }

    /** Memory alone: who owns all members sends nothing. */
    record NoMessages(Arena arena) implements PieceMessages {
        @Override
        public Request send(MemorySegment piece, int process, int tag) {
            throw new IllegalStateException("one process owns all members");
        }

        @Override
        public Request receive(MemorySegment piece, int process, int tag) {
            throw new IllegalStateException("one process owns all members");
        }

        @Override
        public void await(Request request) {
            throw new IllegalStateException("one process owns all members");
        }

        @Override
        public MemorySegment memory(long bytes) {
            return arena.allocate(bytes, Long.SIZE);
        }
    }

    /**
     * Computes the bytes of all targets.
     *
     * @param rebuilt the members that are written, by rank; the others are read, and compared where they are targets
     * @param progress called by several threads when so many more bytes were computed
     * @return numbers of the chains whose results are not what is there, where they were compared
     */
    public BitSet run(List<ReductionChain> chains, Map<Integer, MemberRebuild> rebuilt, LongConsumer progress)
            throws IOException {
        int workers = Math.clamp(threads, 1, Math.max(1, chains.size()));
        List<Future<BitSet>> running = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(workers)) {
            for (int worker = 0; worker < workers; worker++) {
                int first = worker;
                List<ReductionChain> own = IntStream.range(0, chains.size()).filter(i -> i % workers == first)
                        .mapToObj(chains::get).toList();
                running.add(executor.submit(() -> runOnThread(own, rebuilt, workers, progress)));
            }
        }
        BitSet disagreeing = new BitSet();
        for (Future<BitSet> each : running) {
            disagreeing.or(resultOf(each));
        }
        return disagreeing;
    }

    private BitSet runOnThread(List<ReductionChain> chains, Map<Integer, MemberRebuild> rebuilt, int workers,
            LongConsumer progress) throws IOException {
        try (OpenFiles open = new OpenFiles(operations, workers); Arena arena = NativeMemory.openConfined()) {
            @Nullable
            MemberBytes[] members = new MemberBytes[set.ranks()];
            for (int rank = 0; rank < members.length; rank++) {
                MemberRebuild written = rebuilt.get(rank);
                members[rank] = written == null
                        ? MemberBytes.present(open, set.member(rank), locations.get(rank))
                        : written.bytes();
            }
            PieceLoop loop = new PieceLoop(new NoMessages(arena), kernel, chains, new int[set.ranks()], 0, members,
                    PIECE_BYTES, progress);
            loop.run();
            return loop.disagreeing();
        }
    }

    private static BitSet resultOf(Future<BitSet> thread) throws IOException {
        try {
            return thread.get();
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
        List<ReductionChain> compared = new ArrayList<>();
        for (ReductionChain chain : ReductionChains.rebuildAndCompare(set, missing)) {
            if (chain.targets().stream().anyMatch(target -> !missing.get(target.rank()))) {
                compared.add(chain.withTargets(target -> !missing.get(target.rank())));
            }
        }
        return run(compared, Map.of(), bytes -> {});
    }
}
