package org.restorej.redset.internal.coding;

import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.ChunkLayout;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.RecoveryMatrix;

/**
 * How the cells of some ranks in one row are computed from the cells of others. Encoding and rebuilding differ only in
 * whose cells are computed: those of the ranks that store the row's checksums, or those of the ranks that are missing.
 * The arrays are shared, not copied: callers don't write to them.
 *
 * @param row the row
 * @param sourceRanks ranks whose cells are read, in the order of the matrix' columns
 * @param targetRanks ranks whose cells are computed, in the order of the matrix' rows
 * @param matrix the coefficients
 */
@SuppressWarnings("ArrayRecordComponent") // Read in the innermost loops; plans are never compared.
public record RowPlan(int row, int[] sourceRanks, int[] targetRanks, GaloisMatrix matrix) {
    /** The coefficients of a scheme's checksums: one row a checksum, one column a rank of the set. */
    public static GaloisMatrix parity(Scheme.Coded scheme, int ranks) {
        // No switch: the JVM would make a class for it in a job's first call.
        return scheme instanceof Scheme.ReedSolomon rs
                ? GaloisMatrix.reedSolomon(ranks, rs.checksums())
                : GaloisMatrix.parityOfOnes(ranks);
    }

    /** How the checksums of a row are computed from all data. */
    public static RowPlan encode(Scheme.Coded scheme, int ranks, GaloisMatrix parity, int row) {
        BitSet holders = new BitSet(ranks);
        for (int checksum = 0; checksum < scheme.checksums(); checksum++) {
            holders.set(ChunkLayout.of(scheme, ranks).holderOfChecksum(row, checksum));
        }
        return rebuild(scheme, ranks, parity, row, holders);
    }

    /**
     * How the cells of missing ranks in a row are computed from those of the others.
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
        int[] usedHolders = IntStream.of(presentHolders).limit(lostData.length).toArray();
        GaloisMatrix matrix = RecoveryMatrix.of(parity, presentData, lostData, checksums(layout, row, usedHolders),
                checksums(layout, row, lostHolders));
        return new RowPlan(row, join(presentData, usedHolders), join(lostData, lostHolders), matrix);
    }

    private static int[] ranks(ChunkLayout layout, int row, boolean holders, IntPredicate which) {
        return IntStream.range(0, layout.ranks())
                .filter(rank -> layout.checksumAt(row, rank) >= 0 == holders)
                .filter(which)
                .toArray();
    }

    private static int[] checksums(ChunkLayout layout, int row, int[] holders) {
        return IntStream.of(holders).map(rank -> layout.checksumAt(row, rank)).toArray();
    }

    private static int[] join(int[] first, int[] second) {
        return IntStream.concat(IntStream.of(first), IntStream.of(second)).toArray();
    }
}
