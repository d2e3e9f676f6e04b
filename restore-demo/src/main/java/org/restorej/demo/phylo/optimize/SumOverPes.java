package org.restorej.demo.phylo.optimize;

/** Adds up numbers over all PEs: a collective call. */
@FunctionalInterface
public interface SumOverPes {
    /** For a single PE. */
    SumOverPes ALONE = values -> {};

    /**
     * Replaces each number by its sum over the PEs. Called by all PEs; all must get the same, to the last bit, since
     * each decides by itself what comes next. Whatever it throws leaves the iteration.
     */
    void sum(double[] values);
}
