package org.restorej.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a model counts, and what a real store sends. */
class PlannedTrafficTest {
    /** Pieces that travel alone, pieces that are packed, some of each, and no permutation range that fits a share. */
    @ParameterizedTest
    @CsvSource({"48, 262144, 64, 4, 65536", "48, 65536, 64, 4, 4096", "7, 1048576, 64, 3, 98304",
            "5, 200000, 8, 2, 12000"})
    void everyPeSendsWhatIsPlanned(int pes, long bytes, long blockBytes, int replication, long rangeBytes) {
        ModelShape shape = new ModelShape(pes, bytes, blockBytes, replication, rangeBytes);
        List<Map<ModelledCall, CountedRun.Calls>> run = CountedRun.of(shape);
        for (ModelledCall call : ModelledCall.values()) {
            Traffic planned = PlannedTraffic.of(shape, call);
            assertTrue(planned.mostMessages() > 0, () -> call + " sends something");
            for (int rank = 0; rank < pes; rank++) {
                CountedRun.Calls calls = of(run.get(rank), call);
                assertEquals(calls.messages(), planned.sentMessages(rank), call + ", messages of PE " + rank);
                assertEquals(calls.bytes(), planned.sentBytes(rank), call + ", bytes of PE " + rank);
            }
        }
    }

    @Test
    void collectiveCallsAreTheSameForAnyNumberOfPes() {
        Map<ModelledCall, CountedRun.Calls> few = CountedRun.of(new ModelShape(4, 1 << 16, 64, 2, 1 << 12)).getFirst();
        Map<ModelledCall, CountedRun.Calls> more = CountedRun.of(new ModelShape(32, 1 << 18, 64, 4, 1 << 16))
                .getFirst();
        for (ModelledCall call : ModelledCall.values()) {
            assertEquals(of(few, call).collectives(), of(more, call).collectives(), call.toString());
        }
        assertEquals(new Collectives(0, 0, 1), of(few, ModelledCall.PULL_ALL).collectives());
        assertEquals(1, of(few, ModelledCall.SUBMIT).collectives().agreements());
    }

    private static CountedRun.Calls of(Map<ModelledCall, CountedRun.Calls> run, ModelledCall call) {
        return Objects.requireNonNull(run.get(call));
    }
}
