package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;
import org.restorej.bench.scale.PlanScale;

class ScaleTableTest {
    /** A plan whose time grows as P, and its bytes as the root of it. */
    private static List<Measurement> growing(String name) {
        List<Measurement> measured = new ArrayList<>();
        for (int pes : new int[]{1024, 4096, 24_576, 1_000_000}) {
            measured.add(new Measurement(
                    Samples.key("PlanScale." + name, PlanScale.PES, Integer.toString(pes)), "ms/op",
                    List.of(pes / 4000.0), OptionalDouble.empty(),
                    Map.of(PlanScale.ALLOCATED, (1 << 20) * Math.sqrt(pes))));
        }
        return measured;
    }

    @Test
    void saysTimesBytesAndExponentsAndWhatTakesTooLong() {
        List<String> lines = ScaleTable.text(growing("replenish")).lines().toList();
        assertTrue(lines.contains("| replenish | 256 µs, 32.0 MiB | 1.02 ms, 64.0 MiB | 6.14 ms, 157 MiB | "
                + "250 ms, 1000 MiB | 1.00             | 0.50     |"), lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("| replenish | 24576 PEs") && line.contains("yes")),
                lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("| replenish | 1000000 PEs") && line.contains("no")),
                lines::toString);
    }

    @Test
    void isNotThereWithoutPlans() {
        assertEquals("", ScaleTable.text(List.of(Samples.of(Samples.key("Submit", "pes", "4"), 1))));
    }
}
