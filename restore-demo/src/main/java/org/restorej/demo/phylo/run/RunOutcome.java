package org.restorej.demo.phylo.run;

import java.util.List;
import java.util.Optional;
import org.restorej.block.BlockRanges;
import org.restorej.demo.phylo.likelihood.ModelState;

/** How a run ended: the same on every survivor. */
public sealed interface RunOutcome {
    /** What happened when. */
    RunTrace trace();

    /** What has been recovered from, in order. */
    default List<RecoverySummary> recoveries() {
        return trace().recoveries();
    }

    /** Exit code of the program. */
    int exitCode();

    /**
     * The run reached its end.
     *
     * @param trace what happened when
     * @param survivors PEs left
     * @param iterations how many were done
     * @param converged whether optimisation ended by itself; evaluation always does
     * @param result log-likelihood, branch lengths, alpha
     * @param logLikelihoodWithoutFailures of the earlier run without failures
     * @param notReached failures for iterations that never came
     * @param storeBytes bytes of replicas of a PE, the maximum of all
     * @param patternBytes bytes of patterns that a PE works on, the maximum of all
     * @param patternLogLikelihoods of each block, when asked for
     */
    record Finished(RunTrace trace, int survivors, int iterations, boolean converged,
            ModelState result, double logLikelihoodWithoutFailures, FailureSchedule notReached, long storeBytes,
            long patternBytes, Optional<double[]> patternLogLikelihoods) implements RunOutcome {
        /** Difference to the run without failures, relative to its log-likelihood. */
        public double relativeDifference() {
            return Math.abs(result.logLikelihood() - logLikelihoodWithoutFailures)
                    / Math.max(Double.MIN_NORMAL, Math.abs(logLikelihoodWithoutFailures));
        }

        /** Whether failures have left no trace in the result: the log-likelihood is the same to the last bit. */
        public boolean agrees() {
            return result.logLikelihood() == logLikelihoodWithoutFailures;
        }

        @Override
        public int exitCode() {
            return agrees() ? 0 : 1;
        }
    }

    /**
     * All holders of some patterns failed.
     *
     * @param trace what happened when
     * @param iteration which one couldn't be done
     * @param failedRanks original ranks of all failed PEs
     * @param survivors PEs left
     * @param lostPatterns blocks without a replica
     */
    record PatternsLost(RunTrace trace, int iteration, List<Integer> failedRanks, int survivors,
            BlockRanges lostPatterns) implements RunOutcome {
        /** Copies what can change. */
        public PatternsLost {
            failedRanks = List.copyOf(failedRanks);
        }

        @Override
        public int exitCode() {
            return 1;
        }
    }

    /**
     * The run ended on all PEs before it was complete: its time was over, a user requested it, lost data are in files, or
     * the files are of another run.
     *
     * @param trace what happened when
     * @param reason why it ended
     * @param exitCode {@link org.restorej.comm.mpi.Mpi#EXIT_CODE_CONTINUED} when the same command goes on from files
     */
    record Ended(RunTrace trace, String reason, int exitCode) implements RunOutcome {}
}
