package org.restorej.demo.phylo.likelihood;

/** A few patterns that are worked on together, taxon by taxon, as kernels read them. */
final class PatternGroup {
    /**
     * Patterns of a full group. One plane is then 1 KiB, and a view with four categories 16 KiB, so that the three
     * views of one step stay in a core's nearest caches, while the cost of a kernel call spreads over enough patterns.
     */
    static final int CAPACITY = 128;

    private final byte[][] masks;
    private final double[] weights = new double[CAPACITY];
    private int size;

    PatternGroup(int taxonCount) {
        masks = new byte[taxonCount][CAPACITY];
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == CAPACITY;
    }

    /** Begins one more pattern, whose masks must then be set. */
    int add(int weight) {
        weights[size] = weight;
        return size++;
    }

    void setMask(int taxon, int pattern, byte mask) {
        masks[taxon][pattern] = mask;
    }

    byte[] masks(int taxon) {
        return masks[taxon];
    }

    double[] weights() {
        return weights;
    }
}
