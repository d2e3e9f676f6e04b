package org.restorej.redset.internal.coding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.ChunkLayout;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.RecoveryMatrix;

/**
 * Computation of the cells of some ranks in one row from the cells of others. Encoding computes the cells of the ranks
 * that store the row's checksums; rebuilding computes those of the missing ranks. The arrays are not copied, and
 * callers must not change them.
 *
 * @param row index of the row
 * @param sourceRanks ranks whose cells are read, in the order of the matrix's columns
 * @param targetRanks ranks whose cells are computed, in the order of the matrix's rows
 * @param matrix the coefficients
 */
@SuppressWarnings("ArrayRecordComponent") // Read in the innermost loops; plans are never compared.
public record RowPlan(int row, int[] sourceRanks, int[] targetRanks, GaloisMatrix matrix) {
    /** The coefficients of a scheme's checksums: a row for each checksum, a column for each rank of the set. */
    public static GaloisMatrix parity(Scheme.Coded scheme, int ranks) {
        // No switch, for which the JVM would generate a class in a job's first call.
        return scheme instanceof Scheme.ReedSolomon rs
                ? GaloisMatrix.reedSolomon(ranks, rs.checksums())
                : GaloisMatrix.parityOfOnes(ranks);
    }

    /** The computation of the checksums of a row from all data. */
    public static RowPlan encode(Scheme.Coded scheme, int ranks, GaloisMatrix parity, int row) {
        BitSet holders = new BitSet(ranks);
        for (int checksum = 0; checksum < scheme.checksums(); checksum++) {
            holders.set(ChunkLayout.of(scheme, ranks).holderOfChecksum(row, checksum));
        }
        return rebuild(scheme, ranks, parity, row, holders);
    }

    /**
     * The computation of the cells of missing ranks in a row from those of the others.
     *
     * @param parity {@link RowPlan#parity} of the set, computed once
     * @param missing at least one rank, and at most as many as there are checksums
     */
    public static RowPlan rebuild(Scheme.Coded scheme, int ranks, GaloisMatrix parity, int row, BitSet missing) {
        if (missing.isEmpty() || !scheme.canRebuild(missing, ranks)) {
            throw new IllegalArgumentException(
                    scheme + " can rebuild 1 to " + scheme.checksums() + " ranks: missing=" + missing);
        }
        ChunkLayout layout = ChunkLayout.of(scheme, ranks);
        int[] presentData = ranks(layout, row, false, rank -> !missing.get(rank));
        int[] lostData = ranks(layout, row, false, missing::get);
        int[] lostHolders = ranks(layout, row, true, missing::get);
        int[] presentHolders = ranks(layout, row, true, rank -> !missing.get(rank));
        int[] usedHolders = Arrays.copyOf(presentHolders, Math.min(presentHolders.length, lostData.length));
        GaloisMatrix matrix = RecoveryMatrix.of(parity, presentData, lostData, checksums(layout, row, usedHolders),
                checksums(layout, row, lostHolders));
        return new RowPlan(row, join(presentData, usedHolders), join(lostData, lostHolders), matrix);
    }

    private static int[] ranks(ChunkLayout layout, int row, boolean holders, IntPredicate which) {
        int[] ranks = new int[layout.ranks()];
        int found = 0;
        for (int rank = 0; rank < ranks.length; rank++) {
            if (layout.checksumAt(row, rank) >= 0 == holders && which.test(rank)) {
                ranks[found++] = rank;
            }
        }
        return Arrays.copyOf(ranks, found);
    }

    private static int[] checksums(ChunkLayout layout, int row, int[] holders) {
        int[] checksums = new int[holders.length];
        Arrays.setAll(checksums, i -> layout.checksumAt(row, holders[i]));
        return checksums;
    }

    private static int[] join(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
