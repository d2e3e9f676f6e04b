package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.redset.internal.protocol.RedsetChannel;

class ArgumentCheckTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    /** More than any message may have. */
    private static final int TOO_LONG = 201 << 20;

    @Test
    void aValueThatIsTooLongForAMessageIsAnErrorOnAllRanks() {
        String tooLong = "x".repeat(TOO_LONG);
        try (LocalCluster cluster = LocalCluster.builder(2).timeout(TIMEOUT).build()) {
            PeOutcome.values(cluster.run(world -> {
                try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                    ArgumentCheck check = new ArgumentCheck(channel, "save");
                    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> check.require(
                            Map.of("description", world.rank() == 1 ? tooLong : ""), List.of()));
                    assertEquals("save refused: on rank 1: description must have at most 1048576 characters: "
                            + TOO_LONG, refused.getMessage());
                    check.require(Map.of("description", "short"), List.of());
                }
                return true;
            }));
        }
    }
}
