package org.restorej.internal.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

class ComparedNumberTest {
    private static final int OTHER_FLAGS = 0b1110 | 0b11 << 30;
    private static final int NUMBERS = 1 << 23;

    @Test
    void onlyEqualNumbersAreTheSame() {
        for (int one = 0; one < NUMBERS; one += 40_009) {
            for (int other = one % 3001; other < NUMBERS; other += 3001) {
                int agreed = ComparedNumber.flags(one) & ComparedNumber.flags(other);
                assertEquals(one == other, ComparedNumber.isSame(agreed), one + " and " + other);
            }
        }
    }

    @Test
    void everyNumberHasAWordOfItsOwnOfEqualWeight() {
        int before = 0;
        for (int number = 0; number < NUMBERS; number++) {
            int flags = ComparedNumber.flags(number);
            if (flags <= before || !ComparedNumber.isSame(flags)) {
                fail("number " + number);
            }
            before = flags;
        }
    }

    @Test
    void leavesRoomForFlags() {
        for (long number : new long[]{0, 1, 4711, NUMBERS - 1, Long.MAX_VALUE, -1}) {
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
