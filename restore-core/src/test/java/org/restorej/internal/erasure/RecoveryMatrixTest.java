package org.restorej.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededRandom;

class RecoveryMatrixTest {
    private static final int BYTES = 5;

    @Test
    void computesEveryLossThatTheChecksumsCover() {
        SeededRandom random = SeededRandom.forTest("computesEveryLossThatTheChecksumsCover");
        int losses = 0;
        for (int ranks = 1; ranks <= 5; ranks++) {
            for (int checksums = 1; checksums <= 3; checksums++) {
                GaloisMatrix parity = GaloisMatrix.reedSolomon(ranks, checksums);
                for (int lost = 1; lost < 1 << (ranks + checksums); lost++) {
                    if (Integer.bitCount(lost) <= checksums) {
                        checkRecovery(random, parity, lost);
                        losses++;
                    }
                }
            }
        }
        assertEquals(335, losses);
    }

    /** The bits of {@code lost} are the data, then the checksums, that are gone. */
    private static void checkRecovery(SeededRandom random, GaloisMatrix parity, int lost) {
        int ranks = parity.columns();
        GaloisMatrix data = GaloisMatrix.of(ranks, BYTES, random.bytes(ranks * BYTES));
        GaloisMatrix checksums = ProductsByDefinition.product(parity, data);
        int[] lostData = withBit(lost, 0, ranks, 1);
        int[] presentData = withBit(lost, 0, ranks, 0);
        int[] lostChecksums = withBit(lost, ranks, parity.rows(), 1);
        int[] usedChecksums = Arrays.copyOf(withBit(lost, ranks, parity.rows(), 0), lostData.length);

        GaloisMatrix recovery = RecoveryMatrix.of(parity, presentData, lostData, usedChecksums, lostChecksums);

        GaloisMatrix recovered = ProductsByDefinition.product(recovery,
                stacked(data, presentData, checksums, usedChecksums));
        assertEquals(stacked(data, lostData, checksums, lostChecksums), recovered,
                () -> "lost " + Integer.toBinaryString(lost) + " of " + ranks + " ranks with parity " + parity);
    }

    @Test
    void needsAChecksumForEachLostRank() {
        GaloisMatrix parity = GaloisMatrix.reedSolomon(3, 2);
        int[] one = {0};
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> RecoveryMatrix.of(parity, new int[]{2}, new int[]{0, 1}, one, new int[0])),
                "usedChecksums=1", "lostData=2");
    }

    private static int[] withBit(int mask, int from, int count, int bit) {
        return IntStream.range(0, count).filter(i -> ((mask >>> (from + i)) & 1) == bit).toArray();
    }

    /** The rows chosen of one matrix, then the rows chosen of another. */
    private static GaloisMatrix stacked(GaloisMatrix upper, int[] upperRows, GaloisMatrix lower, int[] lowerRows) {
        byte[] elements = new byte[(upperRows.length + lowerRows.length) * BYTES];
        for (int row = 0; row < upperRows.length + lowerRows.length; row++) {
            for (int column = 0; column < BYTES; column++) {
                elements[row * BYTES + column] = (byte) (row < upperRows.length
                        ? upper.at(upperRows[row], column)
                        : lower.at(lowerRows[row - upperRows.length], column));
            }
        }
        return GaloisMatrix.of(upperRows.length + lowerRows.length, BYTES, elements);
    }
}
