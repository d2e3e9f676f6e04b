package org.restorej.demo.phylo.optimize;

import org.restorej.comm.collective.ReproducibleSums;

/** Adds up sums over all PEs: a collective call. */
@FunctionalInterface
public interface SumOverPes {
    /** For a single PE. */
    SumOverPes ALONE = sums -> {};

    /**
     * Adds up the sums of all PEs, so that each has those of all patterns. Called by all PEs; all must get the same, to
     * the last bit, since each decides by itself what comes next. Whatever it throws leaves the iteration.
     */
    void sum(ReproducibleSums sums);
}
