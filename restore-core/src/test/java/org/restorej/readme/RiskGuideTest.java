package org.restorej.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.testing.ProjectFolder;

/** The program that docs/risk.md links to prints what is shown there. */
class RiskGuideTest {
    private static final Path GUIDE = ProjectFolder.root().resolve("docs/risk.md");

    @Test
    void theProgramPrintsWhatTheGuideShows() throws IOException {
        List<String> outputs = LocalCluster.run(8, NodeFailure::run);
        assertEquals(6, outputs.size());
        assertEquals(1, outputs.stream().distinct().count());
        String shown = Files.readString(GUIDE).replaceFirst("(?s).*?```text\n", "").replaceFirst("(?s)```\n.*", "");
        assertTrue(!shown.isBlank() && outputs.getFirst().startsWith(shown), () -> "not shown:\n" + outputs.getFirst());
        assertTrue(outputs.getFirst().contains("replenished\n6 of 8 PEs alive; 0 block ranges"), outputs::getFirst);
    }
}
