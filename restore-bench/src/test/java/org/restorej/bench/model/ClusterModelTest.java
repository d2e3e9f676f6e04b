package org.restorej.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterModelTest {
    @Test
    void countsWhatTheBusiestPeDoes() {
        String table = ClusterModel.table(List.of(48, 192));
        assertTrue(table.startsWith("Counted, not measured."), table);
        assertEquals(2L * ModelledCall.values().length, table.lines().filter(line -> line.matches(
                "\\| [a-z0-9 %]+ \\| (48|192) \\| [0-9,]+ \\| [0-9]+[.][0-9] \\| \\d \\+ \\d \\+ \\d \\|")).count(),
                table);
        // Three copies of 16 MiB go elsewhere, and a fourth of those of which a PE is itself a holder, all but.
        assertTrue(table.lines().anyMatch(line -> line.matches("\\| submit \\| 48 \\| [0-9,]+ \\| 6[0-9][.][0-9] .*")),
                table);
    }
}
