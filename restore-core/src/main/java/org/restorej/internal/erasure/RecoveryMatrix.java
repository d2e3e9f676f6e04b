package org.restorej.internal.erasure;

/**
 * Solves a systematic code for lost data. {@code P} are the parity rows, {@code a} the present data, {@code u} the lost
 * data, {@code c} as many checksums as data are lost. From {@code c = P_a a + P_u u} follows
 * {@code u = P_u^-1 (c + P_a a)}. Lost checksums are computed from {@code a} and {@code u}.
 */
public final class RecoveryMatrix {
    private RecoveryMatrix() {}

    /**
     * The matrix that maps the present data, followed by the used checksums, to the lost data, followed by the lost
     * checksums.
     *
     * @param parity one row for each checksum, one column for each data source
     * @param presentData columns of present data
     * @param lostData columns of lost data
     * @param usedChecksums rows of present checksums, as many as {@code lostData}
     * @param lostChecksums rows of checksums to be recomputed
     */
    public static GaloisMatrix of(GaloisMatrix parity, int[] presentData, int[] lostData, int[] usedChecksums,
            int[] lostChecksums) {
        if (usedChecksums.length != lostData.length) {
            throw new IllegalArgumentException("usedChecksums must be as many as lostData: usedChecksums="
                    + usedChecksums.length + ", lostData=" + lostData.length);
        }
        int columns = presentData.length + usedChecksums.length;
        int[][] rows = new int[lostData.length + lostChecksums.length][columns];
        if (lostData.length > 0) {
            solve(parity, presentData, usedChecksums, parity.select(usedChecksums, lostData).inverse(), rows);
        }
        for (int i = 0; i < lostChecksums.length; i++) {
            int[] row = rows[lostData.length + i];
            for (int column = 0; column < presentData.length; column++) {
                row[column] = parity.at(lostChecksums[i], presentData[column]);
            }
            for (int lost = 0; lost < lostData.length; lost++) {
                addMultiple(row, parity.at(lostChecksums[i], lostData[lost]), rows[lost]);
            }
        }
        return flatten(rows, columns);
    }

    private static void solve(GaloisMatrix parity, int[] presentData, int[] usedChecksums, GaloisMatrix inverse,
            int[][] rows) {
        for (int equation = 0; equation < usedChecksums.length; equation++) {
            int[] rightHandSide = new int[presentData.length + usedChecksums.length];
            for (int column = 0; column < presentData.length; column++) {
                rightHandSide[column] = parity.at(usedChecksums[equation], presentData[column]);
            }
            rightHandSide[presentData.length + equation] = 1;
            for (int lost = 0; lost < inverse.rows(); lost++) {
                addMultiple(rows[lost], inverse.at(lost, equation), rightHandSide);
            }
        }
    }

    private static void addMultiple(int[] sum, int factor, int[] row) {
        for (int column = 0; column < sum.length; column++) {
            sum[column] ^= GaloisField.multiply(factor, row[column]);
        }
    }

    private static GaloisMatrix flatten(int[][] rows, int columns) {
        byte[] elements = new byte[rows.length * columns];
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < columns; column++) {
                elements[row * columns + column] = (byte) rows[row][column];
            }
        }
        return GaloisMatrix.of(rows.length, columns, elements);
    }
}
