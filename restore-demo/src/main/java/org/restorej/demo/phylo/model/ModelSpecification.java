package org.restorej.demo.phylo.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A model as it was written, before an alignment is known.
 *
 * @param exchangeRates of A-C, A-G, A-T, C-G, C-T, G-T
 * @param frequencies of A, C, G, T; empty when they are to be counted in the alignment
 * @param gammaCategories number of categories of Gamma rates; empty when all sites have the same rate
 * @param alpha shape of the Gamma distribution; empty when there is none, or when it is to be optimised
 */
public record ModelSpecification(List<Double> exchangeRates, Optional<List<Double>> frequencies,
        Optional<Integer> gammaCategories, OptionalDouble alpha) {
    /** Where the search for an alpha that wasn't given starts. */
    public static final double START_ALPHA = 1;

    /** A state that an alignment doesn't have gets this frequency, as in IQ-TREE; 0 would allow no logarithm. */
    private static final double MIN_FREQUENCY = 1e-4;

    /** Copies the lists. */
    public ModelSpecification {
        exchangeRates = List.copyOf(exchangeRates);
        frequencies = frequencies.map(List::copyOf);
    }

    /** Whether an alpha is needed and not given. */
    public boolean lacksAlpha() {
        return gammaCategories.isPresent() && alpha.isEmpty();
    }

    /**
     * The model itself, with {@link #START_ALPHA} where alpha is missing.
     *
     * @param countedFrequencies of A, C, G, T in the alignment; used only if the model has no frequencies of its own
     */
    public Model resolve(double[] countedFrequencies) {
        double[] used = frequencies.map(ModelSpecification::array).orElseGet(() -> atLeastMinimum(countedFrequencies));
        ReversibleRates substitution = new ReversibleRates(array(exchangeRates), used);
        return gammaCategories.map(count -> Model.gamma(substitution, count, alpha.orElse(START_ALPHA)))
                .orElseGet(() -> Model.uniform(substitution));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] atLeastMinimum(double[] frequencies) {
        double[] raised = new double[frequencies.length];
        double sum = 0;
        for (int state = 0; state < raised.length; state++) {
            raised[state] = Math.max(frequencies[state], MIN_FREQUENCY);
            sum += raised[state];
        }
        for (int state = 0; state < raised.length; state++) {
            raised[state] /= sum;
        }
        return raised;
    }
}
