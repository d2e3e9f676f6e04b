package org.restorej.internal.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TransferLimitsTest {
    @Test
    void theDefaultsStageLessThan64MiB() {
        TransferLimits limits = TransferLimits.DEFAULT;
        assertTrue((limits.frames() + 1L) * limits.frameBytes() < 64L << 20);
        assertTrue(limits.messageBytes() <= Integer.MAX_VALUE);
        assertTrue(limits.window() > 0);
    }

    @Test
    void memoryForAFrameIsAPowerOfTwoThatHoldsItAndNoMoreThanAFullOne() {
        TransferLimits limits = new TransferLimits(64, 100, 100_000, 1, 1);
        assertEquals(4096, limits.bufferBytes(1));
        assertEquals(4096, limits.bufferBytes(4096));
        assertEquals(8192, limits.bufferBytes(4097));
        assertEquals(65_536, limits.bufferBytes(65_536));
        assertEquals(100_000, limits.bufferBytes(65_537));
        assertEquals(100_000, limits.bufferBytes(100_000));
        assertEquals(64, new TransferLimits(64, 100, 64, 1, 1).bufferBytes(10));
    }

    @Test
    void aRunThatFitsNoFrameIsRejected() {
        assertEquals("directBytes must be at most frameBytes: directBytes=65, frameBytes=64",
                assertThrows(IllegalArgumentException.class, () -> new TransferLimits(65, 100, 64, 1, 1))
                        .getMessage());
        assertEquals(64, new TransferLimits(64, 100, 64, 1, 1).directBytes());
    }
}
