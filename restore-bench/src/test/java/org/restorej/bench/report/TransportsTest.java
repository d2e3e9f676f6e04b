package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class TransportsTest {
    private static Measurement pull(String method, String transport, double... millis) {
        return Samples.of(Samples.key("PullBenchmark.run", "pes", "4", "method", method, "transport", transport),
                millis);
    }

    private static Measurement start(String transport, double... millis) {
        return Samples.of(Samples.key("JobLife.fromMain", "pes", "4", "method", "restore", "transport", transport),
                millis);
    }

    @Test
    void setsEachOfOursBesideItselfByTheBindings() {
        List<TargetRow> rows = Transports.rows(List.of(pull("restore", "native", 2, 2, 2),
                pull("restore", "bindings", 1, 1, 1), pull("wire", "native", 2), pull("wire", "bindings", 1)));
        assertEquals(List.of(new TargetRow("Pull", "method restore, pes 4", "2.00 ms", "bindings 1.00 ms", "2.00",
                "not slower", false)), rows);
    }

    @Test
    void whatDiffersWithinTheSpreadIsNotSlower() {
        List<TargetRow> rows = Transports.rows(List.of(pull("restore", "native", 1, 2, 3),
                pull("restore", "bindings", 1, 1.5, 3)));
        assertTrue(rows.getFirst().isReached(), rows::toString);
    }

    @Test
    void aStartMayTakeThreeFifths() {
        assertTrue(Transports.rows(List.of(start("native", 600), start("bindings", 1000))).getFirst().isReached());
        TargetRow row = Transports.rows(List.of(start("native", 610), start("bindings", 1000))).getFirst();
        assertEquals(List.of("0.61", "≤ 0.60", false), List.of(row.ratio(), row.target(), row.isReached()));
    }

    @Test
    void goalsAreStatedForNativeCalls() {
        Measurement ours = pull("restore", "native", 1);
        Measurement bindings = pull("restore", "bindings", 1);
        Measurement older = Samples.of(Samples.key("PullBenchmark.run", "pes", "4", "method", "restore"), 1);
        assertEquals(List.of(ours), Transports.main(List.of(bindings, ours)));
        assertEquals(List.of(bindings), Transports.main(List.of(bindings)));
        assertEquals(List.of(older), Transports.main(List.of(older)));
        assertEquals("", Transports.text(List.of(ours, older)));
    }

    @Test
    void nbxMayTakeALittleLongerThanInC() {
        List<Measurement> measured = List.of(nbx("nbx", 1.2), nbx("nbx-c", 1));
        Optional<TargetRow> row = Goals.of(measured).stream().findFirst();
        assertEquals(Optional.of(new TargetRow("NBX, 64 messages of 64 B a PE, receivers ALL", "4 PEs", "1.20 ms",
                "C 1.00 ms", "1.20", "≤ 1.15", false)), row);
    }

    private static Measurement nbx(String method, double millis) {
        return Samples.of(Samples.key("SparseBenchmark.run", "pes", "4", "method", method, "messages", "64",
                "messageBytes", "64", "receivers", "ALL", "transport", "native"), millis);
    }
}
