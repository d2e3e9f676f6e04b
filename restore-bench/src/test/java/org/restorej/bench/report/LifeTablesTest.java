package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

    @ParameterizedTest
    @CsvSource({"80, 80.0 MiB, yes", "81, 81.0 MiB, no"})
    void saysWhatARankTakesBesideData(int mebibytes, String measured, String reached) {
        Measurement submit = of("submit", "default", "1", 100);
        String text = LifeTables.text(List.of(new Measurement(submit.key(), submit.unit(), submit.samples(),
                submit.bytes(), Map.of("residentBytes", mebibytes * 1048576.0))));
        assertEquals(
                List.of("| memory of a rank beside data and replicas | 4 PEs | " + measured + " | | | ≤ 80.0 MiB | "
                        + reached + " |"),
                text.lines().filter(line -> line.contains("memory of a rank")).map(line -> line.replaceAll(" +", " "))
                        .toList());
    }

    @Test
    void comparesEarlyCallsWithTheWireLimitAndWithCpp() {
        Measurement submit = of("submit", "default", "2 to 20", 30);
        Measurement wire = Samples.of(Samples.key("JobLife.submit", "pes", "4", "bytes", "16777216", "method", "wire",
                "jvm", "default", "calls", "2 to 20"), 20);
        List<String> goals = LifeTables.text(List.of(submit, wire, of("share", "default", "2 to 20", 2.1))).lines()
                .filter(line -> line.contains("≤")).map(line -> line.replaceAll(" +", " ")).toList();
        assertEquals(
                List.of("| submit, calls 2 to 20 | 4 PEs | 30.0 ms | wire limit 20.0 ms | 1.50 | ≤ 1.40 | no |",
                        "| pull: a dead PE's share, calls 2 to 20 | 4 PEs | 2.10 ms | C++ ReStore, another run 8.40 ms "
                                + "| 0.25 | ≤ 0.50 | yes |"),
                goals);
    }

    @Test
    void comparesFirstAndEarlyCallsWithCppOfTheSameRun() {
        List<Measurement> measured = List.of(of("submit", "default", "1", 90), of("share", "default", "1", 6),
                of("share", "default", "2 to 20", 2), cpp("submit", "1", 300), cpp("share", "1", 10),
                cpp("submit", "2 to 20", 200), cpp("submit", "later", 180), cpp("share", "2 to 20", 8));
        String text = LifeTables.text(measured).replaceAll(" +", " ");
        assertEquals(
                List.of("| submit, the first call | 4 PEs | 90.0 ms | C++ ReStore 300 ms | 0.30 | ≤ 0.30 | yes |",
                        "| pull: a dead PE's share, the first call | 4 PEs | 6.00 ms | C++ ReStore 10.0 ms "
                                + "| 0.60 | ≤ 0.50 | no |",
                        "| pull: a dead PE's share, calls 2 to 20 | 4 PEs | 2.00 ms | C++ ReStore 8.00 ms "
                                + "| 0.25 | ≤ 0.50 | yes |"),
                text.lines().filter(line -> line.contains("| C++ ReStore ") && line.contains("≤")).toList());
        assertTrue(text.contains("\n| C++ ReStore | | | 300 / 200 / 180 | | 10.0 / 8.00 | | | | | |\n"), text);
        assertTrue(text.contains("\nC++ ReStore: a program of its own in the same run"), text);
    }

    private static Measurement cpp(String operation, String calls, double millis) {
        return Samples.of(Samples.key("JobLife." + operation, "pes", "4", "bytes", "16777216", "method", "cpp", "jvm",
                "C++ ReStore", "calls", calls), millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "bindings"})
    void keepsCppApartFromHowRanksCallMpi(String transport) {
        String text = LifeTables.text(List.of(of("build", transport, 400), cpp("share", "1", 10)))
                .replaceAll(" +", " ");
        String label = transport.equals("bindings") ? "default, bindings" : "default";
        assertEquals(List.of("| " + label + " | | 400 | | | | | | | | |", "| C++ ReStore | | | | | 10.0 | | | | | |"),
                text.lines().filter(line -> line.startsWith("| default") || line.startsWith("| C++")).toList());
        assertTrue(text.contains("| a store's building | 4 PEs | 400 ms"), text);
    }

    @Test
    void saysNothingOfCppWithoutIt() {
        String text = LifeTables.text(List.of(of("submit", "default", "1", 90)));
        assertFalse(text.contains("C++"), text);
    }

    @Test
    void comparesTheFirstRecoveryWithItsMpiCallsAndWithAFirstPullOfCpp() {
        List<Measurement> measured = List.of(of("recovery", "default", "1", 9), wire("recovery", 2),
                cpp("share", "1", 20));
        assertEquals(
                List.of("| the first recovery, from a communicator to the data | 4 PEs | 9.00 ms "
                        + "| its MPI calls alone 2.00 ms | 4.50 | ≤ 1.50 | no |",
                        "| the first recovery, from a communicator to the data | 4 PEs | 9.00 ms "
                                + "| first pull of C++ ReStore 20.0 ms | 0.45 | ≤ 0.50 | yes |"),
                LifeTables.text(measured).lines().map(line -> line.replaceAll(" +", " "))
                        .filter(line -> line.startsWith("| the first recovery")).toList());
    }

    @Test
    void comparesFirstAndEarlyCallsAlsoWithAFloorInC() {
        List<Measurement> measured = List.of(of("submit", "default", "1", 180), wire("submit", 20),
                of("submit", "default", "2 to 20", 30), of("wholes", "default", "2 to 20", 6),
                floor("submit", "1", "floor in C", 90), floor("submit", "2 to 20", "floor in C", 20),
                floor("wholes", "2 to 20", "floor in C", 3),
                floor("submit", "1", "floor in C, shared memory", 120));
        String text = LifeTables.text(measured).replaceAll(" +", " ");
        assertEquals(
                List.of("| submit, the first call | 4 PEs | 180 ms | floor in C 90.0 ms | 2.00 | | |",
                        "| submit, calls 2 to 20 | 4 PEs | 30.0 ms | floor in C 20.0 ms | 1.50 | | |",
                        "| pull: whole shares, calls 2 to 20 | 4 PEs | 6.00 ms | floor in C 3.00 ms | 2.00 | | |"),
                text.lines().filter(line -> line.contains("| floor in C ") && line.contains(" ms | ")
                        && line.contains("4 PEs")).toList());
        assertTrue(
                text.contains("| submit, the first call | 4 PEs | 180 ms | wire limit 20.0 ms | 9.00 | ≤ 3.00 | no |"),
                text);
        assertTrue(text.contains("\n| floor in C | | | 90.0 / 20.0 | | | | 3.00 | | | |\n"), text);
        assertTrue(text.contains("\n| floor in C, shared memory | | | 120 | | | | | | | |\n"), text);
        assertTrue(text.contains("(`submit_floor.c`)"), text);
    }

    private static Measurement floor(String operation, String calls, String setting, double millis) {
        return Samples.of(Samples.key("JobLife." + operation, "pes", "4", "bytes", "16777216", "method", "floor", "jvm",
                setting, "calls", calls), millis);
    }

    private static Measurement wire(String operation, double millis) {
        return Samples.of(Samples.key("JobLife." + operation, "pes", "4", "bytes", "16777216", "method", "wire", "jvm",
                "default", "calls", "1"), millis);
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
