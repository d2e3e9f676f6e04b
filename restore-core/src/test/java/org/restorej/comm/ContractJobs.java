package org.restorej.comm;

import org.restorej.comm.testing.ContractProgram;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

/** Proves the contract in MPI jobs: one for each size, or one for each program that kills ranks. */
final class ContractJobs {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final MpiFlavour flavour;
    private final Map<Integer, Run> runs = new HashMap<>();

    ContractJobs(MpiFlavour flavour) {
        this.flavour = flavour;
    }

    private record Run(MpiJob job, MpiResult result) {
        Optional<String> outcome(String programName, int rank) {
            return job.report(ContractRank.reportName(programName, rank));
        }
    }

    /** Throws unless every rank of the job of this size, which ran all programs, has seen this one kept. */
    void requireKept(int size, String programName) {
        flavour.require();
        Run run = runs.computeIfAbsent(size, ranks -> run(ranks, ContractRank.ALL_WITHOUT_FAILURES));
        for (int rank = 0; rank < size; rank++) {
            requireKept(run, programName, rank);
        }
        if (run.result().exitCode() != 0 && allKept(run, size)) {
            run.result().requireSuccess();
        }
    }

    /** A job that ended badly although all its programs were kept is an error of each of them. */
    private static boolean allKept(Run run, int size) {
        for (ContractProgram program : CommunicatorContractPrograms.ALL) {
            for (int rank = 0; rank < size && program.minimumSize() <= size; rank++) {
                if (!run.outcome(program.name(), rank).equals(Optional.of(ContractRank.KEPT))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Throws unless all survivors of a job of its own have seen this program kept.
     *
     * @param kills whether it kills ranks; those report nothing
     */
    void requireKeptByTheSurvivors(int size, String programName, boolean kills) {
        flavour.require();
        Run run = run(size, programName);
        int silent = 0;
        for (int rank = 0; rank < size; rank++) {
            if (kills && run.outcome(programName, rank).isEmpty()) {
                silent++;
            } else {
                requireKept(run, programName, rank);
            }
        }
        run.result().requireSuccess();
        if (kills && (silent == 0 || silent == size)) {
            throw new AssertionError(silent + " of " + size + " ranks were killed\n" + run.result().describe());
        }
    }

    private Run run(int ranks, String programName) {
        try (MpiJob job = MpiJob.of(ContractRank.class, ranks).on(flavour).arguments(programName).timeout(TIMEOUT)
                .start()) {
            return new Run(job, job.await());
        }
    }

    private static void requireKept(Run run, String programName, int rank) {
        String outcome = run.outcome(programName, rank).orElseThrow(() -> new AssertionError(
                "rank " + rank + " didn't come to the end of " + programName + "\n" + run.result().describe()));
        if (!outcome.equals(ContractRank.KEPT)) {
            throw new AssertionError("on rank " + rank + ": " + outcome + "\n" + run.result().describe());
        }
    }
}
