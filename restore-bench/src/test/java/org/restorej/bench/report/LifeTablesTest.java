package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class LifeTablesTest {
    private static Measurement of(String operation, String setting, String calls, double... millis) {
        return Samples.of(Samples.key("JobLife." + operation, "pes", "4", "bytes", "16777216", "method", "restore",
                "jvm", setting, "calls", calls), millis);
    }

    @Test
    void tellsFirstEarlyAndLaterCallsApart() {
        String text = LifeTables.text(List.of(of("fromMain", "default", "1", 900),
                of("build", "default", "1", 400), of("submit", "default", "1", 300),
                of("submit", "default", "2 to 20", 60, 50, 70), of("submit", "default", "later", 40)));
        assertTrue(text.contains("| default | 900       | 400   | 300 / 60.0 / 40.0 |"), text);
    }

    @Test
    void comparesABeginningWithItsGoalAndWithThatOfThePlainJdk() {
        String text = LifeTables
                .text(List.of(of("build", "default", "1", 400), of("build", "as the JDK starts", "1", 800),
                        of("submit", "default", "1", 300)));
        List<String> goals = text.lines().filter(line -> line.contains("≤")).map(line -> line.replaceAll(" +", " "))
                .toList();
        assertEquals(
                List.of("| a store's building | 4 PEs | 400 ms | as the JDK starts 800 ms | 0.50 | ≤ 500 ms | yes |",
                        "| the first submit | 4 PEs | 300 ms | | | ≤ 200 ms | no |"),
                goals);
    }

    @Test
    void tellsTheBindingsApartAndStatesGoalsForNativeCalls() {
        String text = LifeTables.text(List.of(of("build", "native", 400), of("build", "bindings", 450)));
        assertTrue(text.contains("| default           |           | 400   |"), text);
        assertTrue(text.contains("| default, bindings |           | 450   |"), text);
        assertTrue(text.lines().anyMatch(line -> line.startsWith("| a store's building | 4 PEs | 400 ms")), text);
    }

    private static Measurement of(String operation, String transport, double millis) {
        return Samples.of(Samples.key("JobLife." + operation, "pes", "4", "bytes", "16777216", "method", "restore",
                "jvm", "default", "calls", "1", "transport", transport), millis);
    }

    @Test
    void saysNothingOfOtherMeasurements() {
        assertTrue(LifeTables.text(List.of(Samples.of(Samples.key("SubmitBenchmark.run", "pes", "4"), 1))).isEmpty());
        assertFalse(LifeTables.text(List.of(of("build", "default", "1", 1))).isEmpty());
    }
}
