package org.restorej.demo.phylo.likelihood;

import java.util.Arrays;

/**
 * Memory for the views of one group of patterns: a slot for each inner node, and one more for products.
 *
 * <p>
 * A number of category {@code c} stands for itself times {@code 2^(-256 s)}, with {@code s} its scale, counted for
 * every pattern and category separately: with hundreds of taxa, categories drift apart by more than a double spans.
 */
final class Views {
    private final int categoryCount;
    private final double[][][] planes;
    /** By slot and category; empty until the first time something there is scaled. */
    private final int[][] scales;
    private final boolean[] scaled;
    private final double[] log2Bounds;

    Views(int slots, int categoryCount) {
        this.categoryCount = categoryCount;
        planes = new double[slots][categoryCount * CategoryMatrices.STATES][PatternGroup.CAPACITY];
        scales = new int[slots * categoryCount][0];
        scaled = new boolean[slots * categoryCount];
        log2Bounds = new double[slots * categoryCount];
    }

    /** Category {@code c} has planes {@code 4c .. 4c + 3}. */
    double[][] planes(int slot) {
        return planes[slot];
    }

    /** At least one of the four numbers of every pattern is at least 2 to the power of this. */
    double log2Bound(int slot, int category) {
        return log2Bounds[slot * categoryCount + category];
    }

    void setLog2Bound(int slot, int category, double bound) {
        log2Bounds[slot * categoryCount + category] = bound;
    }

    /** Whether any pattern may have a scale other than 0. */
    boolean isScaled(int slot, int category) {
        return scaled[slot * categoryCount + category];
    }

    /** Scales by pattern; only to be read when {@link #isScaled}. */
    int[] scales(int slot, int category) {
        return scales[slot * categoryCount + category];
    }

    void clearScales(int slot, int category) {
        scaled[slot * categoryCount + category] = false;
    }

    /** Scales that can be added to: zeros if there were none. */
    int[] writableScales(int slot, int category) {
        int index = slot * categoryCount + category;
        if (!scaled[index]) {
            scaled[index] = true;
            if (scales[index].length == 0) {
                scales[index] = new int[PatternGroup.CAPACITY];
            } else {
                Arrays.fill(scales[index], 0);
            }
        }
        return scales[index];
    }

    void addScales(int fromSlot, int toSlot, int category, int count) {
        if (isScaled(fromSlot, category)) {
            int[] from = scales(fromSlot, category);
            int[] to = writableScales(toSlot, category);
            for (int i = 0; i < count; i++) {
                to[i] += from[i];
            }
        }
    }
}
