package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    @Test
    void noRankIsBlamedForWhatAllHaveSkipped() {
        SkippedCheckpoints skipped = new SkippedCheckpoints("restart", 0);
        skipped.unreachable(3, List.of(), "a disk is away");
        RedsetException obstacle = assertThrows(RedsetException.class, skipped::requireNoObstacle);
        assertEquals("restart failed: checkpoint 3: a disk is away", obstacle.getMessage());
        assertEquals(Map.of(), obstacle.failures());
    }
}
