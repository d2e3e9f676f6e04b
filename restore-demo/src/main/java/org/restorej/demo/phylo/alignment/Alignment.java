package org.restorej.demo.phylo.alignment;

import java.util.Arrays;
import java.util.List;

/**
 * Aligned sequences: a name for each taxon, and for each taxon and site the set of states seen there.
 *
 * <p>
 * Immutable once made; the rows are shared, not copied, as they may be large, and nobody writes to them.
 */
public final class Alignment {
    private final List<String> taxa;
    private final byte[][] rows;

    /** Takes over rows of equal length, one a taxon, of masks as {@link Nucleotides} has them. */
    Alignment(List<String> taxa, byte[][] rows) {
        this.taxa = List.copyOf(taxa);
        this.rows = rows;
    }

    /** Names, in order of the rows. */
    public List<String> taxa() {
        return taxa;
    }

    /** Number of rows. */
    public int taxonCount() {
        return rows.length;
    }

    /** Number of columns. */
    public int siteCount() {
        return rows[0].length;
    }

    /** Whether another has the same rows under the same names in the same order. */
    boolean isSameAs(Alignment other) {
        return taxa.equals(other.taxa) && Arrays.deepEquals(rows, other.rows);
    }

    /** Set of states at a site of a taxon, 1 to 15. */
    public byte mask(int taxon, int site) {
        return rows[taxon][site];
    }

    /**
     * Relative frequencies of A, C, G, T in the whole alignment, as IQ-TREE's {@code +F} counts them: an ambiguous
     * letter is split in proportion to the frequencies found so far, in a few rounds; unknown ones don't count.
     */
    public double[] stateFrequencies() {
        long[] letters = new long[Nucleotides.MASKS];
        for (byte[] row : rows) {
            for (byte mask : row) {
                letters[mask]++;
            }
        }
        letters[Nucleotides.UNKNOWN] = 0;
        double[] frequencies = {0.25, 0.25, 0.25, 0.25};
        int rounds = 8;
        for (int round = 0; round < rounds; round++) {
            frequencies = split(letters, frequencies);
        }
        return frequencies;
    }

    private static double[] split(long[] letters, double[] before) {
        double[] counts = new double[Nucleotides.STATES];
        double total = 0;
        for (int mask = 1; mask < letters.length; mask++) {
            double sum = 0;
            for (int state = 0; state < counts.length; state++) {
                sum += (mask >> state & 1) * before[state];
            }
            if (letters[mask] > 0 && sum > 0) {
                for (int state = 0; state < counts.length; state++) {
                    counts[state] += (mask >> state & 1) * before[state] / sum * letters[mask];
                }
                total += letters[mask];
            }
        }
        if (total == 0) {
            return before;
        }
        for (int state = 0; state < counts.length; state++) {
            counts[state] /= total;
        }
        return counts;
    }
}
