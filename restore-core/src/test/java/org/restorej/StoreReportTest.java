package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.Placement;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/** What a report says, against numbers that are counted another way. */
class StoreReportTest {
    private static final int PES = 5;
    private static final long BLOCKS = 503;
    private static final int REPLICATION = 3;
    private static final long RANGE_BLOCKS = 7;
    private static final int RING_POINTS = 4;
    private static final long SEED = 11;
    private static final TestBlocks CONTENT = new TestBlocks(24, 1);

    private static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(24).replication(REPLICATION)
                .permutationRangeBlocks(RANGE_BLOCKS).ringPoints(RING_POINTS).seed(SEED);
    }

    private static Submission share(Communicator comm) {
        return new Submission().add(StorePrograms.ownRun(comm, BLOCKS), CONTENT::write);
    }

    /** The ranges that a PE holds while everybody is alive. */
    private static int[] rangesHeldBy(Placement placement, int rank) {
        return IntStream.range(0, REPLICATION).map(replica -> placement.rangeHeldBy(rank, replica)).toArray();
    }

    private static LongStream positionsIn(Placement placement, int range) {
        return LongStream.range(placement.firstPosition(range), placement.firstPosition(range + 1));
    }

    private static long checksumsOf(Placement placement, int rank) {
        ChunkGrid grid = new ChunkGrid(new ReplicaRing(placement, RING_POINTS, SEED + 1), RANGE_BLOCKS);
        LongSet chunks = new LongOpenHashSet();
        for (int range : rangesHeldBy(placement, rank)) {
            positionsIn(placement, range).forEach(position -> chunks.add(grid.chunkFirst(position)));
        }
        return chunks.size();
    }

    /** Bytes of the blocks of a range, with four for each chunk. */
    private static long bytesOf(ChunkGrid grid, Placement placement, int range) {
        return 24 * placement.blocksIn(range)
                + 4 * positionsIn(placement, range).filter(position -> grid.chunkFirst(position) == position).count();
    }

    @Test
    void memoryOfBlocksOfOneSizeIsTheirBytesAndFourForEachChunk() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).build()) {
                assertEquals(new StoreReport.Memory(0, 0, 0, 0, 0, 0), store.report().memory());
                assertEquals(List.of(0L, 0L, 0L, 0L), store.report().blocksByReplicas());
                store.submit(share(world));
                StoreReport.Memory memory = store.report().memory();
                long held = IntStream.of(rangesHeldBy(store.placement(), world.rank()))
                        .mapToLong(store.placement()::blocksIn).sum();
                assertEquals(24 * held, memory.blockBytes());
                assertEquals(store.replicaBytes(), memory.blockBytes());
                assertEquals(0, memory.sizeBytes());
                assertEquals(4 * checksumsOf(store.placement(), world.rank()), memory.checksumBytes());
                assertEquals(0, memory.stagedBytes());
                assertTrue(memory.bufferBytes() > 0 && memory.bufferBytes() < 64 << 20, memory::toString);
                assertEquals(memory.blockBytes() + memory.checksumBytes() + memory.bufferBytes(),
                        memory.totalBytes());
            }
            return world.rank();
        });
    }

    @Test
    void whatIsStagedCountsUntilItIsCommittedOrDiscarded() {
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).build()) {
                StagedSubmission first = store.stage(share(world));
                long staged = store.report().memory().stagedBytes();
                assertEquals(0, store.report().memory().blockBytes());
                StagedSubmission.commitTogether(List.of(first));
                assertEquals(staged, store.report().memory().blockBytes());
                assertEquals(0, store.report().memory().stagedBytes());
                StagedSubmission second = store.stage(share(world));
                assertEquals(staged, store.report().memory().stagedBytes());
                second.discard();
                assertEquals(0, store.report().memory().stagedBytes());
            }
            return world.rank();
        });
    }

    @Test
    void memoryOfBlocksOfDifferentSizesHasSixBytesForEachAndMarks() {
        LongUnaryOperator sizeOf = id -> id * 37 % 50;
        LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).variableBlockSizes(25).build()) {
                store.submit(new Submission().add(StorePrograms.ownRun(world, BLOCKS), sizeOf::applyAsLong,
                        (id, block) -> block.fill((byte) id)));
                long blockBytes = 0;
                long sizeBytes = 0;
                for (int range : rangesHeldBy(store.placement(), world.rank())) {
                    blockBytes += positionsIn(store.placement(), range)
                            .map(position -> sizeOf
                                    .applyAsLong(store.state().layout().permutation().blockAt(position)))
                            .sum();
                    sizeBytes += 6 * store.placement().blocksIn(range);
                }
                StoreReport.Memory memory = store.report().memory();
                assertEquals(blockBytes, memory.blockBytes());
                assertEquals(sizeBytes, memory.sizeBytes());
                // The sizes have checksums, too; a chunk of up to 32 blocks has one mark.
                assertEquals((2 * 4 + 8) * checksumsOf(store.placement(), world.rank()), memory.checksumBytes());
            }
            return world.rank();
        });
    }

    @Test
    void totalsAddUpCallsFailuresAndBytes() {
        AtomicReference<@Nullable ChunkGrid> grid = new AtomicReference<>();
        List<StoreReport> all = LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).noPermutation().build()) {
                grid.set(store.state().layout().grid());
                for (int generation = 0; generation < 3; generation++) {
                    store.submit(share(world));
                }
                store.submitChanges(new Submission().add(BlockRange.of(world.rank(), 1), CONTENT::write));
                assertThrows(InvalidSubmissionException.class,
                        () -> store.submit(
                                new Submission().add(BlockRange.of(BLOCKS, 1), MemorySegment.ofArray(new byte[24]))));
                CONTENT.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
                store.scrub();
                return store.report();
            }
        });
        ChunkGrid chunks = Objects.requireNonNull(grid.get());
        for (int rank = 0; rank < PES; rank++) {
            StoreReport report = all.get(rank);
            assertEquals(4, report.totals(Operation.SUBMIT).calls());
            assertEquals(1, report.totals(Operation.SUBMIT).failures());
            // Each submits the range that it is the first holder of, so it sends all replicas but one.
            Placement placement = new Placement(PES, BLOCKS, REPLICATION);
            assertEquals(3 * (REPLICATION - 1) * bytesOf(chunks, placement, rank),
                    report.totals(Operation.SUBMIT).sentBytes());
            long held = IntStream.of(rangesHeldBy(placement, rank))
                    .mapToLong(range -> bytesOf(chunks, placement, range))
                    .sum();
            assertEquals(3 * (held - bytesOf(chunks, placement, rank)),
                    report.totals(Operation.SUBMIT).receivedBytes());
            assertEquals(1, report.totals(Operation.SUBMIT_CHANGES).calls());
            long missing = BLOCKS - IntStream.of(rangesHeldBy(placement, rank)).mapToLong(placement::blocksIn).sum();
            long trailerBytes = report.totals(Operation.PULL).receivedBytes() - missing * 24;
            assertTrue(trailerBytes % 8 == 0 && trailerBytes >= 8 && trailerBytes <= 8 * (PES - 1),
                    "eight bytes from each server: " + trailerBytes);
            assertEquals(1, report.totals(Operation.SCRUB).calls());
            assertTrue(!report.operations().containsKey(Operation.REPLENISH), "what was not called is not there");
        }
        assertEquals(all.stream().mapToLong(report -> report.totals(Operation.PULL).receivedBytes()).sum(),
                all.stream().mapToLong(report -> report.totals(Operation.PULL).sentBytes()).sum());
    }

    @Test
    void theTextIsATableForPeople() {
        StoreReport report = new StoreReport(3, new StoreReport.Memory(12_000, 0, 48, 0, 6_000, 4_096),
                List.of(0L, 25L, 475L), 1,
                Map.of(Operation.SUBMIT, new StoreReport.Totals(3, 1, 36_000, 24_000, 2_500_000),
                        Operation.SUBMIT_CHANGES, new StoreReport.Totals(1, 0, 7, 8, 1_000)));
        List<String> expected = List.of("generation 3",
                "memory: 22,144 bytes: 12,000 of blocks, 0 of sizes, 48 of checksums, 0 staged, "
                        + "6,000 spare, 4,096 of buffers",
                "blocks: 0 lost, 25 are 1 failure from loss, 475 are 2 failures from loss; 1 damaged replicas",
                "operation          calls  failures      bytes sent  bytes received  milliseconds",
                "submit                 3         1          36,000          24,000         2.500",
                "submit changes         1         0               7               8         0.001");
        assertEquals(expected, report.toString().lines().toList());
    }

    @Test
    void aFailureCountsWhereItWasMet() {
        List<StoreReport> reports = LimitedRun.values(PES, world -> {
            try (ReStore store = builder(world).build()) {
                store.submit(share(world));
                FailureSimulation.of(world).fail(2);
                RuntimeException failure = assertThrows(RuntimeException.class, store::scrub);
                assertTrue(failure instanceof CommunicationFailedException, failure::toString);
                return store.report();
            }
        });
        assertEquals(PES - 1, reports.size());
        for (StoreReport report : reports) {
            assertEquals(1, report.totals(Operation.SCRUB).failures());
            assertEquals(0, report.totals(Operation.SUBMIT).failures());
            assertEquals(StoreReport.Totals.NONE, report.totals(Operation.REPLENISH));
        }
    }
}
