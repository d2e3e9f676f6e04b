package org.restorej.demo.phylo.likelihood;

import org.restorej.demo.phylo.alignment.Nucleotides;

/** A 4 x 4 matrix for each category of rates, and its products with every set of states a tip can have. */
final class CategoryMatrices {
    static final int STATES = Nucleotides.STATES;
    static final int ENTRIES = STATES * STATES;
    static final int TIP_ENTRIES = Nucleotides.MASKS * STATES;

    /** Entry (row, column) of category c is at {@code c * ENTRIES + row * STATES + column}. */
    final double[] entries;
    /**
     * Row {@code r} times set {@code m} is at {@code c * TIP_ENTRIES + m * STATES + r}; empty where no tip needs it.
     */
    final double[] tipProducts;
    /** Logarithm to base 2 of the smallest entry. */
    final double[] log2Minimum;

    CategoryMatrices(int categoryCount, boolean forTips) {
        entries = new double[categoryCount * ENTRIES];
        tipProducts = new double[forTips ? categoryCount * TIP_ENTRIES : 0];
        log2Minimum = new double[categoryCount];
    }

    /** Brings up to date what follows from the entries. */
    void entriesChanged() {
        for (int category = 0; category < log2Minimum.length; category++) {
            double minimum = Double.MAX_VALUE;
            for (int entry = 0; entry < ENTRIES; entry++) {
                minimum = Math.min(minimum, entries[category * ENTRIES + entry]);
            }
            // One less than the exponent, so that rounding in products never makes the bound too high.
            log2Minimum[category] = Math.getExponent(minimum) - 1.0;
            if (tipProducts.length > 0) {
                updateTipProducts(category);
            }
        }
    }

    private void updateTipProducts(int category) {
        for (int mask = 1; mask < Nucleotides.MASKS; mask++) {
            int rest = mask & (mask - 1);
            int state = Integer.numberOfTrailingZeros(mask);
            for (int row = 0; row < STATES; row++) {
                int base = category * TIP_ENTRIES + row;
                tipProducts[base + mask * STATES] = tipProducts[base + rest * STATES]
                        + entries[category * ENTRIES + row * STATES + state];
            }
        }
    }
}
