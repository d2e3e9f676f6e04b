package org.restorej.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.restorej.loop.Recovery.Phase;
import org.restorej.placement.FailedRanks;

class RecoveryTest {
    @Test
    void aRecoverySaysInWordsWhoHasFailedAndWhatTookHowLong() {
        assertEquals(
                "recovered from the failure of store ranks {1, 3}: 5 PEs left, 12 blocks gained here (96 bytes), in "
                        + "2.8 ms: shrink 1.5 ms, take over 1.3 ms",
                new Recovery(FailedRanks.of(1, 3), FailedRanks.of(1, 3, 7), 5, 12, 96,
                        Map.of(Phase.TAKE_OVER, 1_250_000L, Phase.SHRINK, 1_500_000L)).toString());
        assertEquals(
                "recovered from the failure of store rank {1}: 1 PE left, 1 block gained here (8 bytes), in 0.0 ms",
                new Recovery(FailedRanks.of(1), FailedRanks.of(1), 1, 1, 8, Map.of()).toString());
        assertEquals("recovered without a further failed PE: 2 PEs left, 0 blocks gained here (0 bytes), in 0.0 ms",
                new Recovery(FailedRanks.NONE, FailedRanks.NONE, 2, 0, 0, Map.of()).toString());
    }
}
