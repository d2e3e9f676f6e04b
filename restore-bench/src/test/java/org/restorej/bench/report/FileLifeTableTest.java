package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class FileLifeTableTest {
    private static Measurement of(String operation, String scheme, String calls, double... millis) {
        return Samples.of(Samples.key("FileLife." + operation, "pes", "4", "bytes", "67108864", "method", "redset",
                "jvm", "default", "transport", "native", "scheme", scheme, "calls", calls), millis);
    }

    @Test
    void tellsFirstThirdAndLaterCallsOfEachSchemeApart() {
        String text = FileLifeTable.text(List.of(of("apply", "XOR", "1", 300), of("apply", "XOR", "3", 100),
                of("apply", "XOR", "later", 90, 80, 100), of("recover", "XOR", "1", 150),
                of("recover", "RS", "1", 700)));
        assertTrue(text.replaceAll(" +", " ").contains("| 4 | 64 MiB | default | 300 / 100 / 90.0 | 150 | | 700 |"),
                text);
    }

    @Test
    void comparesBothOperationsTogetherWithRedset() {
        String text = FileLifeTable.text(List.of(of("apply", "XOR", "1", 300), of("recover", "XOR", "1", 300),
                of("apply", "XOR", "3", 100), of("recover", "XOR", "3", 90), of("apply", "RS", "3", 400)));
        assertEquals(List.of("| apply and recover, XOR, call 1 | 4 PEs | 600 ms | redset 250 ms | 2.40 | ≤ 2.00 | no |",
                "| apply and recover, XOR, call 3 | 4 PEs | 190 ms | redset 220 ms | 0.86 | ≤ 0.90 | yes |"),
                text.lines().filter(line -> line.contains("≤")).map(line -> line.replaceAll(" +", " ")).toList());
    }

    private static Measurement floor(String operation, String way, String calls, double... millis) {
        return Samples.of(Samples.key("FileFloor." + operation, "pes", "4", "bytes", "67108864", "scheme", "XOR",
                "way", way, "calls", calls), millis);
    }

    @Test
    void showsTheFloorBelowTheJobsAndHowFarTheyAreFromIt() {
        String text = FileLifeTable.text(List.of(of("apply", "XOR", "1", 300), of("recover", "XOR", "1", 300),
                floor("apply", "base", "1", 90), floor("apply", "base", "3", 80), floor("recover", "base", "1", 60),
                floor("apply", "shared+spare", "1", 50))).replaceAll(" +", " ");
        assertEquals(List.of("| 4 | 64 MiB | default | 300 | 300 | | |",
                "| 4 | 64 MiB | floor in C | 90.0 / 80.0 | 60.0 | | |",
                "| 4 | 64 MiB | floor in C, shared+spare | 50.0 | | | |",
                "| apply and recover, XOR, call 1 | 4 PEs | 600 ms | redset 250 ms | 2.40 | ≤ 2.00 | no |",
                "| apply and recover, XOR, call 1 | 4 PEs | 600 ms | floor in C 150 ms | 4.00 | | |"),
                text.lines().filter(line -> line.startsWith("| 4 ") || line.startsWith("| apply ")).toList());
    }

    @Test
    void saysNothingOfOtherMeasurements() {
        assertTrue(FileLifeTable.text(List.of(Samples.of(Samples.key("JobLife.build", "pes", "4"), 1))).isEmpty());
    }
}
