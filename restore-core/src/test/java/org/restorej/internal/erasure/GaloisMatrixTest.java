package org.restorej.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededRandom;

class GaloisMatrixTest {
    @Test
    void hasTheParityRowsOfRedset() {
        assertEquals("[3 2]", GaloisMatrix.reedSolomon(2, 1).toString());
        assertEquals("[1 1 1] [15 8 6]", GaloisMatrix.reedSolomon(3, 2).toString());
        assertEquals("[27 28 18 20] [28 27 20 18] [18 20 27 28]", GaloisMatrix.reedSolomon(4, 3).toString());
        assertEquals("[26 132 186 51 231 16 198 39] [132 26 51 186 16 231 39 198] [186 51 26 132 198 39 231 16]",
                GaloisMatrix.reedSolomon(8, 3).toString());
    }

    @Test
    void hasTheKnownDigestForTheLargestSquareCode() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(GaloisMatrix.reedSolomon(128, 128).toRowMajor());
        assertEquals("717316a094a226c545a1683611d996bb62dcbb1dde0104f45dc71fcccf4c5997",
                HexFormat.of().formatHex(digest));
    }

    @Test
    void isTheVandermondeMatrixNormalised() {
        for (int ranks = 1; ranks <= 40; ranks++) {
            int checksums = 5;
            byte[] vandermonde = new byte[(ranks + checksums) * ranks];
            for (int row = 0; row < ranks + checksums; row++) {
                int power = 1;
                for (int column = 0; column < ranks; column++) {
                    vandermonde[row * ranks + column] = (byte) power;
                    power = ProductsByDefinition.product(power, row);
                }
            }
            GaloisMatrix whole = GaloisMatrix.of(ranks + checksums, ranks, vandermonde);
            int[] columns = IntStream.range(0, ranks).toArray();
            GaloisMatrix top = whole.select(columns, columns);
            GaloisMatrix bottom = whole.select(IntStream.range(ranks, ranks + checksums).toArray(), columns);
            assertEquals(ProductsByDefinition.product(bottom, top.inverse()),
                    GaloisMatrix.reedSolomon(ranks, checksums),
                    "ranks " + ranks);
        }
    }

    @Test
    void everySquarePartOfTheParityRowsIsInvertible() {
        for (int ranks = 1; ranks <= 8; ranks++) {
            GaloisMatrix parity = GaloisMatrix.reedSolomon(ranks, ranks);
            for (int rows = 1; rows < 1 << ranks; rows++) {
                for (int columns = 1; columns < 1 << ranks; columns++) {
                    if (Integer.bitCount(rows) == Integer.bitCount(columns)) {
                        GaloisMatrix square = parity.select(bits(rows), bits(columns));
                        assertEquals(identity(square.rows()), ProductsByDefinition.product(square, square.inverse()));
                    }
                }
            }
        }
    }

    @Test
    void invertsRandomMatricesOrSaysThatTheyAreSingular() {
        SeededRandom random = SeededRandom.forTest("invertsRandomMatricesOrSaysThatTheyAreSingular");
        int inverted = 0;
        for (int i = 0; i < 200; i++) {
            int size = 1 + random.nextInt(12);
            GaloisMatrix matrix = GaloisMatrix.of(size, size, random.bytes(size * size));
            try {
                GaloisMatrix inverse = matrix.inverse();
                assertEquals(identity(size), ProductsByDefinition.product(inverse, matrix));
                assertEquals(matrix, inverse.inverse());
                inverted++;
            } catch (ArithmeticException singular) {
                assertSays(singular, "singular");
            }
        }
        assertTrue(inverted > 150, "inverted " + inverted);
        assertThrows(ArithmeticException.class, () -> GaloisMatrix.of(2, 2, new byte[]{1, 2, 1, 2}).inverse());
    }

    @Test
    void refusesMoreRowsThanTheFieldHasPoints() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> GaloisMatrix.reedSolomon(255, 2)),
                "ranks=255, checksums=2");
        assertThrows(IllegalArgumentException.class, () -> GaloisMatrix.reedSolomon(3, 0));
    }

    @Test
    void refusesElementsThatAreNotRowsTimesColumns() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> GaloisMatrix.of(2, 3, new byte[5])),
                "2 x 3 has 6 elements", "rowMajor.length=5");
    }

    @Test
    void hasNoElementsOutsideOfItsRowsAndColumns() {
        GaloisMatrix matrix = GaloisMatrix.of(2, 3, new byte[]{1, 2, 3, 4, 5, 6});
        assertEquals(6, matrix.at(1, 2));
        for (int[] outside : new int[][]{{-1, 0}, {2, 0}, {0, -1}, {0, 3}}) {
            assertSays(assertThrows(IndexOutOfBoundsException.class, () -> matrix.at(outside[0], outside[1])),
                    "row=" + outside[0] + ", column=" + outside[1] + " of 2 x 3");
        }
    }

    @Test
    void theParityOfOnesIsOneRowOfOnes() {
        assertEquals("[1 1 1]", GaloisMatrix.parityOfOnes(3).toString());
        assertTrue(GaloisMatrix.parityOfOnes(3).isAllOnes());
        assertFalse(GaloisMatrix.of(1, 3, new byte[]{1, 1, 2}).isAllOnes());
    }

    @Test
    void isEqualToAMatrixOfTheSameShapeAndElements() {
        byte[] elements = {1, 2, 3, 4};
        GaloisMatrix matrix = GaloisMatrix.of(2, 2, elements);
        assertEquals(matrix, GaloisMatrix.of(2, 2, elements));
        assertEquals(matrix.hashCode(), GaloisMatrix.of(2, 2, elements).hashCode());
        for (GaloisMatrix other : List.of(GaloisMatrix.of(1, 4, elements), GaloisMatrix.of(4, 1, elements),
                GaloisMatrix.of(2, 2, new byte[]{1, 2, 3, 5}))) {
            assertNotEquals(matrix, other);
            assertNotEquals(matrix.hashCode(), other.hashCode());
        }
    }

    @Test
    void dividesWhatItMultiplied() {
        for (int a = 0; a < 256; a++) {
            for (int b = 0; b < 256; b++) {
                int product = GaloisField.multiply(a, b);
                assertEquals(ProductsByDefinition.product(a, b), product);
                if (b != 0) {
                    assertEquals(a, GaloisField.divide(product, b));
                }
            }
        }
        assertThrows(ArithmeticException.class, () -> GaloisField.divide(1, 0));
    }

    private static GaloisMatrix identity(int size) {
        byte[] elements = new byte[size * size];
        for (int i = 0; i < size; i++) {
            elements[i * size + i] = 1;
        }
        return GaloisMatrix.of(size, size, elements);
    }

    private static int[] bits(int mask) {
        return IntStream.range(0, Integer.SIZE).filter(bit -> ((mask >>> bit) & 1) != 0).toArray();
    }
}
