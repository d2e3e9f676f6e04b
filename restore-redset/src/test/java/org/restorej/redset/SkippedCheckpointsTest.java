package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a log says of checkpoints that can't be had. */
class SkippedCheckpointsTest {
    @Test
    void theStoreIsNamedInTheLogOfOneRank() {
        try (LogLines log = new LogLines(SkippedCheckpoints.class)) {
            new SkippedCheckpoints("restart", 0).lost(3, List.of(Path.of("store/job")), "it's lost");
            new SkippedCheckpoints("restart", 1).lost(3, List.of(Path.of("other/job")), "it's lost");
            assertEquals(List.of("checkpoint 3 in store/job is passed over: it's lost"), log.lines());
        }
    }
}
