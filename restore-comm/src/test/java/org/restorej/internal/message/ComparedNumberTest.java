package org.restorej.internal.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ComparedNumberTest {
    private static final int OTHER_FLAGS = 0b1110 | 0b11 << 30;

    @Test
    void onlyEqualNumbersAreTheSame() {
        for (int one = 0; one < 1 << 13; one += 7) {
            for (int other = 0; other < 1 << 13; other += 5) {
                int agreed = ComparedNumber.flags(one) & ComparedNumber.flags(other);
                assertEquals(one == other, ComparedNumber.isSame(agreed), one + " and " + other);
            }
        }
    }

    @Test
    void leavesRoomForFlags() {
        for (long number : new long[]{0, 1, 4711, (1 << 13) - 1, Long.MAX_VALUE, -1}) {
            assertEquals(0, ComparedNumber.flags(number) & OTHER_FLAGS);
            assertTrue(ComparedNumber.isSame(ComparedNumber.flags(number) | OTHER_FLAGS));
        }
        assertFalse(ComparedNumber.isSame(OTHER_FLAGS));
    }

    @Test
    void everyBitOfADigestCounts() {
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            int digest = 0x5EED5EED;
            assertFalse(ComparedNumber.isSame(ComparedNumber.flagsOfDigest(digest)
                    & ComparedNumber.flagsOfDigest(digest ^ 1 << bit)), "bit " + bit);
        }
    }
}
