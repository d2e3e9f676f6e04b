package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.placement.Placement;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;
import org.restorej.testing.LogLines;

/**
 * What the store logs: a line for each operation, as the report counts them. Without permutation, on 4 PEs
 * with 2 replicas, every PE sends its own range to one other, so all numbers are known.
 */
class StoreLogTest {
    private static final int PES = 4;
    private static final int VICTIM = 3;
    private static final long BLOCKS = 403;
    private static final long BLOCK_BYTES = 100;
    private static final TestBlocks CONTENT = new TestBlocks(BLOCK_BYTES, 1);
    private static final Placement PLACEMENT = new Placement(PES, BLOCKS, 2);

    /** The chunks of all stores here. */
    private static volatile @Nullable ChunkGrid grid;

    private List<String> logged = List.of();
    private final Map<Integer, StoreReport> reports = new HashMap<>();

    @BeforeEach
    void runAndListen() {
        try (LogLines log = new LogLines("org.restorej", Level.FINE)) {
            for (PeOutcome<StoreReport> outcome : LimitedRun.outcomes(PES, StoreLogTest::useEverything)) {
                if (outcome instanceof PeOutcome.Returned<StoreReport> returned) {
                    reports.put(returned.originalRank().value(), returned.value());
                }
            }
            logged = log.lines();
        }
        assertEquals(Set.of(0, 1, 2), reports.keySet());
    }

    private static StoreReport useEverything(Communicator world) {
        BlockRange mine = rangeOf(world.rank());
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).replication(2)
                .noPermutation().build()) {
            grid = store.state().layout().grid();
            store.submit(mine, CONTENT::write);
            assertEquals(2, store.submitAsync(new Submission().add(mine, CONTENT::write)).await());
            store.submitChanges(new Submission().add(BlockRange.of(mine.first(), 1), CONTENT::write));
            assertThrows(InvalidSubmissionException.class,
                    () -> store.submitAsync(new Submission().add(mine, MemorySegment.ofArray(new byte[1]))).await());
            // A range that neither of its holders is asking for.
            BlockRange wanted = rangeOf((world.rank() + 1) % PES);
            CONTENT.pullAndCheck(store, BlockRanges.of(wanted.first(), wanted.count()));
            store.scrub();
            FailureSimulation.of(world).fail(VICTIM);
            assertThrows(ProcessFailedException.class, () -> CONTENT.pullAndCheck(store, BlockRanges.of(0, BLOCKS)));
            world.revoke();
            store.recover(world.shrink());
            store.replenish();
            return store.report();
        }
    }

    private static BlockRange rangeOf(int rank) {
        return BlockRange.of(PLACEMENT.firstPosition(rank), PLACEMENT.blocksIn(rank));
    }

    /** Bytes of the blocks of a range, with four for each chunk. */
    private static long bytesOf(int rank) {
        ChunkGrid chunks = Objects.requireNonNull(grid);
        BlockRange range = rangeOf(rank);
        long bytes = range.count() * BLOCK_BYTES;
        for (long chunk = range.first(); chunk < range.end(); chunk = chunks.chunkEnd(chunk)) {
            bytes += Integer.BYTES;
        }
        return bytes;
    }

    private List<String> linesOf(String operation, int rank) {
        return logged.stream().filter(line -> line.startsWith(operation + " on store rank " + rank + " ")).toList();
    }

    private static String traffic(long sentBytes, long receivedBytes, int peers) {
        return sentBytes + " bytes sent, " + receivedBytes + " received, " + peers + " peers";
    }

    @Test
    void thereIsALineForEachOperationThatTheReportCounts() {
        reports.forEach((rank, report) -> {
            for (Operation operation : Operation.values()) {
                StoreReport.Totals totals = report.totals(operation);
                List<String> lines = linesOf(operation.text(), rank);
                assertTrue(totals.calls() > 0, operation::text);
                assertEquals(totals.calls(), lines.size(), operation::text);
                assertEquals(totals.failures(), lines.stream().filter(line -> line.contains(" failed after ")).count(),
                        operation::text);
            }
        });
    }

    @Test
    void aSubmitTellsBytesPeersAndGeneration() {
        for (int rank : reports.keySet()) {
            List<String> submits = linesOf("submit", rank);
            assertEquals(3, submits.size());
            // The other holder of its range is two ranks on, and so is the one whose other holder it is itself.
            String moved = traffic(bytesOf(rank), bytesOf((rank + 2) % PES), 1);
            assertTrue(submits.get(0).contains(" ms: generation 1, " + moved), submits::toString);
            assertTrue(submits.get(1).contains(" ms: generation 2, " + moved), submits::toString);
            assertTrue(submits.get(2).contains("generation 3, 0 bytes sent")
                    && submits.get(2).contains("InvalidSubmissionException")
                    && submits.get(2).contains("byteSize=1"), submits::toString);
            assertTrue(linesOf(Operation.SUBMIT_CHANGES.text(), rank).getFirst()
                    .contains("generation 3, " + BLOCK_BYTES + " bytes sent"), logged::toString);
        }
    }
}
