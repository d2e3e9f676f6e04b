package org.restorej.internal.erasure;

import java.util.Arrays;

/**
 * A matrix over GF(2^8), at least 1 x 1. Immutable.
 */
public final class GaloisMatrix {
    private final int rows;
    private final int columns;
    private final byte[] elements;

    private GaloisMatrix(int rows, int columns, byte[] elements) {
        this.rows = rows;
        this.columns = columns;
        this.elements = elements;
    }

    /**
     * A matrix with these elements.
     *
     * @param rows number of rows, at least 1
     * @param columns number of columns, at least 1
     * @param rowMajor {@code rows * columns} elements, copied
     */
    public static GaloisMatrix of(int rows, int columns, byte[] rowMajor) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(
                    "rows and columns must be at least 1: rows=" + rows + ", columns=" + columns);
        }
        if (rowMajor.length != (long) rows * columns) {
            throw new IllegalArgumentException("a matrix of " + rows + " x " + columns + " has " + (long) rows * columns
                    + " elements: rowMajor.length=" + rowMajor.length);
        }
        return new GaloisMatrix(rows, columns, rowMajor.clone());
    }

    /** A row of ones: the exclusive or of all sources. */
    public static GaloisMatrix parityOfOnes(int columns) {
        byte[] ones = new byte[columns];
        Arrays.fill(ones, (byte) 1);
        return of(1, columns, ones);
    }

    /**
     * The parity rows of redset's Reed-Solomon code: the Vandermonde matrix {@code E[r][c] = r^c}, transformed by
     * column operations so that its upper square is the identity. In closed form (Lagrange), row {@code j} and column
     * {@code q} is the product over {@code i != q} of {@code ((p + j) ^ i) / (q ^ i)}.
     *
     * @param ranks {@code p}, number of processes
     * @param checksums {@code k}, number of rows; {@code p + k} is at most 256, the number of distinct points in the
     *        field
     */
    public static GaloisMatrix reedSolomon(int ranks, int checksums) {
        if (ranks < 1 || checksums < 1 || ranks + checksums > GaloisField.SIZE) {
            throw new IllegalArgumentException("ranks and checksums must be at least 1 and at most 256 together: ranks="
                    + ranks + ", checksums=" + checksums);
        }
        byte[] elements = new byte[checksums * ranks];
        for (int row = 0; row < checksums; row++) {
            for (int column = 0; column < ranks; column++) {
                int product = 1;
                for (int i = 0; i < ranks; i++) {
                    if (i != column) {
                        product = GaloisField.multiply(product, GaloisField.divide((ranks + row) ^ i, column ^ i));
                    }
                }
                elements[row * ranks + column] = (byte) product;
            }
        }
        return new GaloisMatrix(checksums, ranks, elements);
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** An element, {@code 0 .. 255}. */
    public int at(int row, int column) {
        if (row < 0 || row >= rows || column < 0 || column >= columns) {
            throw new IndexOutOfBoundsException("row=" + row + ", column=" + column + " of " + rows + " x " + columns);
        }
        return elements[row * columns + column] & 0xFF;
    }

    /** All elements, row after row; a copy. */
    public byte[] toRowMajor() {
        return elements.clone();
    }

    /** Whether every element is 1. */
    boolean isAllOnes() {
        for (byte element : elements) {
            if (element != 1) {
                return false;
            }
        }
        return true;
    }

    /** The matrix of the chosen rows and columns, in the given order. */
    public GaloisMatrix select(int[] chosenRows, int[] chosenColumns) {
        byte[] chosen = new byte[chosenRows.length * chosenColumns.length];
        for (int row = 0; row < chosenRows.length; row++) {
            for (int column = 0; column < chosenColumns.length; column++) {
                chosen[row * chosenColumns.length + column] = (byte) at(chosenRows[row], chosenColumns[column]);
            }
        }
        return of(chosenRows.length, chosenColumns.length, chosen);
    }

    /**
     * The inverse, by Gauss-Jordan elimination in {@code O(rows^3)}.
     *
     * @throws ArithmeticException when the matrix is singular; square submatrices of {@link #reedSolomon} never are
     */
    public GaloisMatrix inverse() {
        if (rows != columns) {
            throw new IllegalArgumentException("only a square matrix has an inverse: " + rows + " x " + columns);
        }
        int[][] work = new int[rows][2 * rows];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < rows; column++) {
                work[row][column] = at(row, column);
            }
            work[row][rows + row] = 1;
        }
        for (int pivot = 0; pivot < rows; pivot++) {
            eliminate(work, pivot);
        }
        byte[] inverse = new byte[rows * rows];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < rows; column++) {
                inverse[row * rows + column] = (byte) work[row][rows + column];
            }
        }
        return new GaloisMatrix(rows, rows, inverse);
    }

    private static void eliminate(int[][] work, int pivot) {
        int found = pivot;
        while (found < work.length && work[found][pivot] == 0) {
            found++;
        }
        if (found == work.length) {
            throw new ArithmeticException("the matrix is singular: no pivot in column " + pivot);
        }
        int[] swapped = work[found];
        work[found] = work[pivot];
        work[pivot] = swapped;
        int divisor = swapped[pivot];
        for (int column = 0; column < swapped.length; column++) {
            swapped[column] = GaloisField.divide(swapped[column], divisor);
        }
        for (int row = 0; row < work.length; row++) {
            int factor = work[row][pivot];
            if (row != pivot && factor != 0) {
                for (int column = 0; column < swapped.length; column++) {
                    work[row][column] ^= GaloisField.multiply(factor, swapped[column]);
                }
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GaloisMatrix that && rows == that.rows && columns == that.columns
                && Arrays.equals(elements, that.elements);
    }

    @Override
    public int hashCode() {
        return 31 * rows + Arrays.hashCode(elements);
    }

    /** Rows of decimal numbers, such as {@code [1 1 1] [15 8 6]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows; row++) {
            text.append(row == 0 ? "[" : " [");
            for (int column = 0; column < columns; column++) {
                text.append(column == 0 ? "" : " ").append(at(row, column));
            }
            text.append(']');
        }
        return text.toString();
    }
}
