package org.restorej.demo.run;

/** Is told how a run goes, by the lowest rank alive, which changes when that one fails. */
public interface Progress {
    /** For nobody. */
    Progress SILENT = new Progress() {
        @Override
        public void iterationDone(int iteration, double value) {}

        @Override
        public void recovered(RecoverySummary recovery) {}
    };

    /**
     * An iteration is done on all PEs.
     *
     * @param value what shows how far it has come: a log-likelihood, for instance
     */
    void iterationDone(int iteration, double value);

    /** Survivors have recovered and repeated their iteration. */
    void recovered(RecoverySummary recovery);

    /** Whether it wants to know what each PE did when; the same on every PE. */
    default boolean wantsTrace() {
        return false;
    }

    /** The run has ended; comes only when wanted. */
    default void traced(RunTrace trace) {}
}
