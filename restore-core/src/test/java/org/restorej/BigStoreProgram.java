package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/**
 * More blocks, and more bytes, than an {@code int} can say, through all operations of a store: what each rank of
 * {@link BigStoreIT} runs, on 2 PEs and a spare.
 *
 * <p>
 * {@code 3 * 2^30 + 5} blocks of 1 byte: with one byte a block, positions and bytes pass 2^31 together, and at least
 * memory. Twice on 2 PEs each of them holds them all, 3 GiB. Rank 0 submits more than 2^31 of them in one piece, from a
 * sparse file, and so sends that much to rank 1; after a failure the spare reads more than 2^31 bytes into one
 * destination, all from the other PE, and is then filled. The odd 5, and a border inside a permutation range, keep
 * sizes from being multiples of everything.
 */
public final class BigStoreProgram {
    /** Ranks of the job. */
    static final int RANKS = 3;

    private static final long BLOCKS = 3L * (1 << 30) + 5;

    /** Rank 0 submits the blocks below, 2.5 GiB, rank 1 the others. */
    private static final long BORDER = 5L * (1 << 29) + 3;

    private static final long TWO_TO_31 = 1L << 31;

    private BigStoreProgram() {}

    /**
     * Runs it.
     *
     * @param args folder for the sparse files
     */
    public static void main(String[] args) throws IOException {
        Communicator world = Mpi.world(args);
        Communicator last = world;
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(1).replication(2).spares(1)
                .build()) {
            submit(world, store, Path.of(args[0]));
            checkReport(store, 0);
            readScattered(store);
            last = loseRankOne(world);
            store.recover(last);
            checkReport(store, BLOCKS);
            readALot(last, store);
            long received = store.replenish();
            equal(last.rank() == 1 ? BLOCKS : 0L, received, "bytes that were replenished");
            checkReport(store, 0);
            readScattered(store);
            System.out.println(store.report());
        } catch (SimulatedFailureError failure) {
            System.out.println(failure.getMessage());
        }
        Mpi.finish(last);
    }

    private static void submit(Communicator world, ReStore store, Path folder) throws IOException {
        BlockRange mine = switch (world.rank()) {
            case 0 -> BlockRange.between(0, BORDER);
            case 1 -> BlockRange.between(BORDER, BLOCKS);
            default -> BlockRange.between(BLOCKS, BLOCKS);
        };
        Path file = folder.resolve("sparse-" + world.rank());
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE,
                        StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, mine.count(), arena);
            MarkedBlocks.write(mine, memory);
            store.submit(mine, memory);
        }
        holds(!Files.exists(file), "the sparse file is gone");
    }

    /** @param atRisk blocks that are one failure from loss */
    private static void checkReport(ReStore store, long atRisk) {
        StoreReport report = store.report();
        equal(List.of(0L, atRisk, BLOCKS - atRisk), report.blocksByReplicas(), "blocks by replicas");
        equal(store.replicaBytes(), report.memory().blockBytes(), "bytes of the replicas");
        boolean filled = !store.isIdleSpare() && (atRisk == 0 || store.rank().value() == 0);
        equal(filled ? BLOCKS : 0L, report.memory().blockBytes(), "bytes of the replicas");
    }

    /** Ranges at both ends, around 2^31, around the border of what the two have submitted, and in between. */
    private static void readScattered(ReStore store) {
        BlockRanges wanted = BlockRanges.of(BlockRange.of(0, 9), BlockRange.of(12_345_678, 100_000),
                BlockRange.of(TWO_TO_31 - 70_000, 140_000), BlockRange.of(BORDER - 5, 10),
                BlockRange.of(TWO_TO_31 + 777_777_777, 1_000_000), BlockRange.of(BLOCKS - 300_000, 300_000));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(wanted.blockCount());
            store.pull(wanted, memory);
            MarkedBlocks.check(wanted, memory);
        }
    }

    private static Communicator loseRankOne(Communicator world) {
        FailureSimulation.of(world).fail(1);
        try {
            world.allReduce(new long[1], Reduction.SUM);
            throw new AssertionError("a collective call with a failed PE must not succeed");
        } catch (CommunicationFailedException expected) {
            world.revoke();
        }
        return world.shrink();
    }

    /** The new PE has nothing yet, and reads all but the first and the last blocks in one pull. */
    private static void readALot(Communicator survivors, ReStore store) {
        BlockRanges wanted = survivors.rank() == 1
                ? BlockRanges.of(BlockRange.between(100_001, BLOCKS - 700_000_001))
                : BlockRanges.EMPTY;
        holds(wanted.isEmpty() || wanted.blockCount() > TWO_TO_31, "more than 2^31 bytes in one destination");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(Math.max(1, wanted.blockCount()));
            store.pull(wanted, memory);
            MarkedBlocks.check(wanted, memory);
        }
        StoreReport.Totals pulls = store.report().totals(Operation.PULL);
        holds(wanted.isEmpty() || pulls.receivedBytes() >= wanted.blockCount(), "all came from the other PE: " + pulls);
    }
}
