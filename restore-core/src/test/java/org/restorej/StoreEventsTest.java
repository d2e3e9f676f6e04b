package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.placement.Placement;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/**
 * The events of the flight recorder: one for each operation, as the report counts them. Without permutation and
 * checksums, on 4 PEs with 2 replicas, every PE sends its own range to one other, so all numbers are known.
 */
class StoreEventsTest {
    private static final int PES = 4;
    private static final int VICTIM = 3;
    private static final long BLOCKS = 403;
    private static final long BLOCK_BYTES = 100;
    private static final TestBlocks CONTENT = new TestBlocks(BLOCK_BYTES, 1);
    private static final Placement PLACEMENT = new Placement(PES, BLOCKS, 2);

    /** Which operations have which event. */
    private static final Map<String, Set<Operation>> OPERATIONS = Map.of(
            "org.restorej.Submit", EnumSet.of(Operation.SUBMIT, Operation.SUBMIT_CHANGES),
            "org.restorej.Pull", EnumSet.of(Operation.PULL),
            "org.restorej.Recover", EnumSet.of(Operation.RECOVER),
            "org.restorej.Replenish", EnumSet.of(Operation.REPLENISH),
            "org.restorej.Scrub", EnumSet.of(Operation.SCRUB));

    /** Between the two clocks that duration and nanoseconds are taken from. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(5);

    @TempDir
    private Path folder;
    private List<RecordedEvent> events;
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Map<Integer, StoreReport> reports = new HashMap<>();

    /** Takes what the store logs, as the JDK's own logging hands it on. */
    private final class Listener extends Handler {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void recordAndListen() throws IOException {
        Logger logger = Logger.getLogger("org.restorej");
        Level before = logger.getLevel();
        boolean handsOn = logger.getUseParentHandlers();
        Handler listener = new Listener();
        logger.setLevel(Level.FINE);
        logger.setUseParentHandlers(false);
        logger.addHandler(listener);
        try {
            record();
        } finally {
            logger.removeHandler(listener);
            logger.setUseParentHandlers(handsOn);
            logger.setLevel(before);
        }
    }

    private void record() throws IOException {
        Path file = folder.resolve("store.jfr");
        try (Recording recording = new Recording();
                LocalCluster cluster = LocalCluster.builder(PES).timeout(Duration.ofMinutes(1)).build()) {
            recording.start();
            for (PeOutcome<StoreReport> outcome : cluster.run(StoreEventsTest::useEverything)) {
                if (outcome instanceof PeOutcome.Returned<StoreReport> returned) {
                    reports.put(returned.originalRank().value(), returned.value());
                }
            }
            recording.stop();
            recording.dump(file);
        }
        assertEquals(Set.of(0, 1, 2), reports.keySet());
        events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("org.restorej.")).toList();
    }

    private static StoreReport useEverything(Communicator world) {
        BlockRange mine = rangeOf(world.rank());
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).replication(2)
                .noPermutation().checksums(false).build()) {
            store.submit(mine, CONTENT::write);
            assertEquals(2, store.submitAsync(new Submission().add(mine, CONTENT::write)).await());
            store.submitChanges(new Submission().add(BlockRange.of(mine.first(), 1), CONTENT::write));
            assertThrows(InvalidSubmissionException.class,
                    () -> store.submitAsync(new Submission().add(mine, new byte[1])).await());
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

    private List<RecordedEvent> eventsOf(String name, int rank) {
        return events.stream().filter(
                event -> event.getEventType().getName().equals(name) && event.getInt("storeRank") == rank)
                .toList();
    }

    @Test
    void eventsAgreeWithTheReport() {
        OPERATIONS.forEach((name, operations) -> reports.forEach((rank, report) -> {
            List<RecordedEvent> recorded = eventsOf(name, rank);
            List<StoreReport.Totals> totals = operations.stream().map(report::totals).toList();
            String what = name + " on " + rank;
            assertEquals(sum(totals, StoreReport.Totals::calls), recorded.size(), what);
            assertTrue(!recorded.isEmpty(), what);
            assertEquals(sum(totals, StoreReport.Totals::failures),
                    recorded.stream().filter(event -> !event.getString("failure").isEmpty()).count(), what);
            assertEquals(sum(totals, StoreReport.Totals::sentBytes), sum(recorded, "bytesSent"), what);
            assertEquals(sum(totals, StoreReport.Totals::receivedBytes), sum(recorded, "bytesReceived"), what);
            Duration duration = recorded.stream().map(RecordedEvent::getDuration).reduce(Duration.ZERO,
                    Duration::plus);
            assertTrue(duration.isPositive(), what);
            assertTrue(duration.minus(CLOCK_TOLERANCE).toNanos() <= sum(totals, StoreReport.Totals::nanos),
                    () -> what + ": " + duration + " " + totals);
        }));
    }

    private static long sum(List<StoreReport.Totals> totals, ToLongFunction<StoreReport.Totals> of) {
        return totals.stream().mapToLong(of).sum();
    }

    private static long sum(List<RecordedEvent> recorded, String field) {
        return recorded.stream().mapToLong(event -> event.getLong(field)).sum();
    }

    @Test
    void aSubmitTellsBytesPeersAndGeneration() {
        for (int rank : reports.keySet()) {
            List<RecordedEvent> submits = eventsOf("org.restorej.Submit", rank);
            assertEquals(List.of(1L, 2L, 3L, 3L), submits.stream().map(event -> event.getLong("generation")).toList());
            // The other holder of its range is two ranks on, and so is the one whose other holder it is itself.
            for (RecordedEvent submit : submits.subList(0, 2)) {
                assertEquals(PLACEMENT.blocksIn(rank) * BLOCK_BYTES, submit.getLong("bytesSent"));
                assertEquals(PLACEMENT.blocksIn((rank + 2) % PES) * BLOCK_BYTES, submit.getLong("bytesReceived"));
                assertEquals(1, submit.getInt("peers"));
            }
            assertEquals(BLOCK_BYTES, submits.get(2).getLong("bytesSent"));
            String refusal = submits.get(3).getString("failure");
            assertTrue(refusal.contains("InvalidSubmissionException") && refusal.contains("byteSize=1"), refusal);
            assertEquals(0, submits.get(3).getLong("bytesSent"));
        }
    }

    @Test
    void aPullTellsWhatCameAndWhyItFailed() {
        for (int rank : reports.keySet()) {
            List<RecordedEvent> pulls = eventsOf("org.restorej.Pull", rank);
            assertEquals(2, pulls.size());
            RecordedEvent pull = pulls.getFirst();
            assertEquals(PLACEMENT.blocksIn((rank + 1) % PES) * BLOCK_BYTES, pull.getLong("bytesReceived"));
            assertTrue(pull.getInt("peers") >= 1 && pull.getInt("peers") <= 2, "one or both of the holders");
            assertEquals("", pull.getString("failure"));
            assertEquals("{}", pull.getString("failedRanks"));
            String failure = pulls.get(1).getString("failure");
            assertTrue(failure.contains("ProcessFailedException") && failure.contains("pull"), failure);
        }
    }

    @Test
    void afterTheFailureTheFailedRanksAreTold() {
        for (int rank : reports.keySet()) {
            for (String name : List.of("org.restorej.Recover", "org.restorej.Replenish")) {
                RecordedEvent event = eventsOf(name, rank).getFirst();
                assertEquals("{" + VICTIM + "}", event.getString("failedRanks"), name);
                assertEquals(3, event.getLong("generation"), name);
                assertEquals("", event.getString("failure"), name);
                assertNull(event.getStackTrace(), name);
            }
            assertEquals(0, eventsOf("org.restorej.Scrub", rank).getFirst().getInt("damagedReplicas"));
        }
        long replenished = reports.keySet().stream()
                .mapToLong(rank -> eventsOf("org.restorej.Replenish", rank).getFirst().getLong("bytesReceived")).sum();
        assertEquals((PLACEMENT.blocksIn(3) + PLACEMENT.blocksIn(1)) * BLOCK_BYTES, replenished);
    }

    @Test
    void eachOperationIsLoggedInALine() {
        assertEquals(events.size(), logged.size(), "as many lines as events");
        String expected = "submit on store rank 0 took [0-9.]+ ms: generation 1, "
                + PLACEMENT.blocksIn(0) * BLOCK_BYTES + " bytes sent, " + PLACEMENT.blocksIn(2) * BLOCK_BYTES
                + " received, 1 peers, failed ranks \\{}, 0 damaged replicas";
        assertEquals(1, logged.stream().filter(line -> line.matches(expected)).count(), () -> "of " + logged);
        assertTrue(logged.stream().anyMatch(line -> line.startsWith("pull on store rank 1 failed after ")
                && line.contains("ProcessFailedException")), () -> "of " + logged);
    }

    @Test
    void theFailedHasToldWhatItDidBefore() {
        assertTrue(eventsOf("org.restorej.Submit", VICTIM).size() == 4);
        assertEquals(List.of(), eventsOf("org.restorej.Recover", VICTIM));
    }
}
