package org.restorej.demo.phylo.run;

/** Is told how a run goes, by the lowest rank alive, which changes when that one fails. */
public interface Progress {
    /**
     * An iteration is done on all PEs.
     *
     * @param value what shows how far it has come: a log-likelihood, for instance
     */
    void iterationDone(int iteration, double value);

    /** Survivors have recovered and repeated their iteration. */
    void recovered(RecoverySummary recovery);
}
