package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class GrowthTest {
    private static final BenchmarkKey SUBMIT = Samples.key("SubmitBenchmark.run", "bytes", "16777216", "blockBytes",
            "64", "replication", "4", "permutationRangeBytes", "262144", "pes", "4", "method", "restore");

    private static List<Measurement> over(BenchmarkKey key, String param, ToDoubleFunction<Double> millis,
            double... values) {
        List<Measurement> measurements = new ArrayList<>();
        for (double value : values) {
            measurements.add(Samples.of(key.with(param, Long.toString((long) value)), millis.applyAsDouble(value)));
        }
        return measurements;
    }

    private static TargetRow only(List<Measurement> measurements) {
        List<TargetRow> rows = Growth.of(measurements);
        assertEquals(1, rows.size(), rows::toString);
        return rows.getFirst();
    }

    @Test
    void tellsTheExponentAndWhatAByteCostsBesideTheWire() {
        List<Measurement> all = over(SUBMIT, "bytes", bytes -> 3e-6 * bytes, 1e4, 1e5, 1e6, 1e7);
        all.addAll(over(SUBMIT.with("method", "wire"), "bytes", bytes -> 2e-6 * bytes, 1e4, 1e5, 1e6, 1e7));
        assertEquals(new TargetRow("submit, over bytes", "4 PEs", "exponent 1.00 ± 0.00, 3.00 ns a byte",
                "wire limit 1.00 ± 0.00, 2.00 ns a byte", "1.50", "exponent ≤ 1.10", true), only(all));
    }

    @Test
    void seesWhatGrowsTooFast() {
        assertFalse(only(over(SUBMIT, "bytes", bytes -> Math.pow(bytes, 1.2), 1e4, 1e5, 1e6, 1e7)).isReached());
        assertFalse(only(over(Samples.key("SparseBenchmark.run", "method", "nbx", "receivers", "ALL", "pes", "4"),
                "messages", messages -> messages * messages, 1, 16, 64, 256)).isReached());
    }

    @Test
    void overPesCostsMayGrowAsThoseOfTheWireDo() {
        List<Measurement> all = over(SUBMIT, "pes", pes -> pes, 2, 4, 8, 16);
        all.addAll(over(SUBMIT.with("method", "wire"), "pes", pes -> pes, 2, 4, 8, 16));
        TargetRow row = only(all);
        assertEquals("submit, over PEs", row.what());
        assertEquals("16 MiB a PE", row.at());
        assertTrue(row.isReached());
        List<Measurement> steep = over(SUBMIT, "pes", pes -> Math.pow(pes, 1.3), 2, 4, 8, 16);
        steep.addAll(over(SUBMIT.with("method", "wire"), "pes", pes -> pes, 2, 4, 8, 16));
        assertFalse(only(steep).isReached());
    }

    @Test
    void aLookUpMustNotGrow() {
        BenchmarkKey holders = Samples.key("PlacementBenchmark.holders", "replication", "4", "permuted", "true");
        TargetRow row = only(over(holders, "peCount", pes -> 24e-6 + 1e-15 * pes, 8, 1024, 1048576, 33554432));
        assertEquals("P = 8 to 33554432", row.at());
        assertTrue(row.measured().endsWith(", 24.0 ns to 24.0 ns"), row::toString);
        assertTrue(row.isReached());
        assertFalse(only(over(holders, "peCount", pes -> Math.log(pes), 8, 1024, 1048576, 33554432)).isReached());
    }

    @Test
    void manySmallBlocksMayTakeTwiceTheTime() {
        BenchmarkKey small = SUBMIT.with("bytes", "40000000").with("blockBytes", "16");
        Measurement usual = Samples.of(small.with("blockBytes", "64"), 100);
        TargetRow row = only(List.of(Samples.of(small, 150), usual));
        assertEquals(new TargetRow("submit, blocks of 16 bytes", "10,000,000 blocks, 4 PEs", "150 ms",
                "blocks of 64 bytes 100 ms", "1.50", "≤ 2.00", true), row);
        assertFalse(only(List.of(Samples.of(small, 201), usual)).isReached());
    }

    @Test
    void saysNothingOfTooFewValues() {
        assertEquals(List.of(), Growth.of(over(SUBMIT, "bytes", bytes -> bytes, 1e4, 1e5, 1e6)));
        assertEquals(List.of(), Growth.of(
                List.of(new Measurement(SUBMIT, "ms/op", List.of(1.0), OptionalDouble.empty(), Map.of()))));
    }
}
