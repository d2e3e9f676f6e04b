package org.restorej.demo.phylo.model;

import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;

/**
 * A reversible rate matrix {@code Q}, normalised to one expected substitution per unit of branch length, as its
 * eigenvectors: {@code P(t) = exp(Qt)}.
 *
 * <p>
 * {@code D^(1/2) Q D^(-1/2)} with {@code D = diag(frequencies)} is symmetric, so it is {@code V diag(eigenvalues) V^T}
 * with {@code V} orthogonal; see J. Felsenstein, "Inferring Phylogenies" (2004), chapter 13. Immutable.
 */
public final class ReversibleRates {
    /** A transition is never less probable: keeps logarithms finite where data contradict branches of no length. */
    public static final double MIN_PROBABILITY = 0x1p-100;

    private static final int STATES = 4;

    private final double[] frequencies;
    private final double[] eigenvalues;
    /** Row k: eigenvector k, entry s multiplied by the root of frequency s. */
    private final double[] weightedVectors = new double[STATES * STATES];
    /** Entry (s, x, k): what the k-th exponential contributes to the probability of s to x. */
    private final double[] probabilityParts = new double[STATES * STATES * STATES];

    /**
     * Decomposes the matrix.
     *
     * @param exchangeRates of A-C, A-G, A-T, C-G, C-T, G-T, all more than 0; only their ratios matter
     * @param frequencies of A, C, G, T, all more than 0, with sum 1
     */
    public ReversibleRates(double[] exchangeRates, double[] frequencies) {
        this.frequencies = frequencies.clone();
        EigenDecompositionSymmetric decomposition = new EigenDecompositionSymmetric(
                symmetricMatrix(exchangeRates, frequencies));
        eigenvalues = decomposition.getEigenvalues();
        // They come in descending order. The rows of a rate matrix have the sum 0, so the first is 0 but for rounding,
        // which a long branch would multiply.
        eigenvalues[0] = 0;
        RealMatrix vectors = decomposition.getV();
        for (int k = 0; k < STATES; k++) {
            for (int s = 0; s < STATES; s++) {
                weightedVectors[k * STATES + s] = vectors.getEntry(s, k) * Math.sqrt(frequencies[s]);
                for (int x = 0; x < STATES; x++) {
                    probabilityParts[(s * STATES + x) * STATES + k] = vectors.getEntry(s, k) * vectors.getEntry(x, k)
                            * Math.sqrt(frequencies[x] / frequencies[s]);
                }
            }
        }
    }

    private static RealMatrix symmetricMatrix(double[] exchangeRates, double[] frequencies) {
        double[][] exchange = new double[STATES][STATES];
        int pair = 0;
        double expectedSubstitutions = 0;
        for (int s = 0; s < STATES; s++) {
            for (int x = s + 1; x < STATES; x++) {
                exchange[s][x] = exchangeRates[pair++];
                exchange[x][s] = exchange[s][x];
                expectedSubstitutions += 2 * frequencies[s] * frequencies[x] * exchange[s][x];
            }
        }
        double[][] matrix = new double[STATES][STATES];
        for (int s = 0; s < STATES; s++) {
            for (int x = 0; x < STATES; x++) {
                if (x != s) {
                    double scaled = exchange[s][x] / expectedSubstitutions;
                    matrix[s][x] = scaled * Math.sqrt(frequencies[s] * frequencies[x]);
                    matrix[s][s] -= scaled * frequencies[x];
                }
            }
        }
        return MatrixUtils.createRealMatrix(matrix);
    }

    /** Frequency of a state when all is in balance. */
    public double frequency(int state) {
        return frequencies[state];
    }

    /** One of the four eigenvalues: 0, then those below it. */
    public double eigenvalue(int k) {
        return eigenvalues[k];
    }

    /** Entry {@code s} of eigenvector {@code k}, multiplied by the root of the frequency of {@code s}. */
    public double weightedVector(int k, int s) {
        return weightedVectors[k * STATES + s];
    }

    /**
     * Writes {@code P(time)}, row by row: entry {@code (s, x)} is the probability that {@code s} becomes {@code x}.
     *
     * @param time branch length times rate
     * @param matrix takes 16 numbers
     * @param offset where in it
     */
    public void transitionProbabilities(double time, double[] matrix, int offset) {
        double exp0 = Math.exp(eigenvalues[0] * time);
        double exp1 = Math.exp(eigenvalues[1] * time);
        double exp2 = Math.exp(eigenvalues[2] * time);
        double exp3 = Math.exp(eigenvalues[3] * time);
        double[] parts = probabilityParts;
        for (int entry = 0; entry < STATES * STATES; entry++) {
            int k = entry * STATES;
            double probability = parts[k] * exp0 + parts[k + 1] * exp1 + parts[k + 2] * exp2 + parts[k + 3] * exp3;
            matrix[offset + entry] = Math.max(probability, MIN_PROBABILITY);
        }
    }
}
