package org.restorej.demo.phylo.run;

/** Is told how a run goes, by the lowest rank alive, which changes when that one dies. */
public interface Progress {
    /** For nobody. */
    Progress SILENT = new Progress() {
        @Override
        public void iterationDone(int iteration, double logLikelihood) {}

        @Override
        public void recovered(RecoverySummary recovery) {}
    };

    /** An iteration is done on all PEs. */
    void iterationDone(int iteration, double logLikelihood);

    /** Survivors have recovered and repeated their iteration. */
    void recovered(RecoverySummary recovery);
}
