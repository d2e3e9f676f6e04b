package org.restorej.comm.testing.mpi;

import org.restorej.comm.mpi.OpenMpi;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Proves a suite in MPI jobs: one for each size, or one for each program that kills ranks. */
public final class ContractJobs {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final MpiFlavour flavour;
    private final ContractSuite suite;
    private final Map<Integer, Run> runs = new HashMap<>();
    private OpenMpi.ThreadLevel threadLevel = OpenMpi.ThreadLevel.SERIALIZED;

    /** Jobs for a suite on one kind of MPI. */
    public ContractJobs(MpiFlavour flavour, ContractSuite suite) {
        this.flavour = flavour;
        this.suite = suite;
    }

    /** Lets the ranks ask MPI for this thread level instead of {@link OpenMpi.ThreadLevel#SERIALIZED}. */
    public ContractJobs threads(OpenMpi.ThreadLevel level) {
        threadLevel = level;
        return this;
    }

    /** A test for each program and size at which it makes sense; the programs leave everybody alive. */
    public Stream<DynamicTest> tests(List<Integer> sizes) {
        return tests(sizes, this::requireKept);
    }

    /** A test for each program and size at which it makes sense, each in a job of its own in which ranks die. */
    public Stream<DynamicTest> testsWithDeaths(List<Integer> sizes) {
        return tests(sizes, (size, name) -> requireKeptByTheSurvivors(size, name, true));
    }

    private interface Proof {
        void run(int size, String programName);
    }

    private Stream<DynamicTest> tests(List<Integer> sizes, Proof proof) {
        return sizes.stream().flatMap(size -> suite.programs().stream()
                .filter(program -> program.minimumSize() <= size)
                .map(program -> DynamicTest.dynamicTest(program.name() + " on " + size,
                        () -> proof.run(size, program.name()))));
    }

    private record Run(MpiJob job, MpiResult result) {
        Optional<String> outcome(String programName, int rank) {
            return job.report(ContractRank.reportName(programName, rank));
        }
    }

    /** Throws unless every rank of the job of this size, which ran all programs, has seen this one kept. */
    public void requireKept(int size, String programName) {
        flavour.require();
        Run run = runs.computeIfAbsent(size, ranks -> run(ranks, ContractRank.ALL));
        for (int rank = 0; rank < size; rank++) {
            requireKept(run, programName, rank);
        }
        if (run.result().exitCode() != 0 && allKept(run, size)) {
            run.result().requireSuccess();
        }
    }

    /** A job that ended badly although all its programs were kept is an error of each of them. */
    private boolean allKept(Run run, int size) {
        for (ContractProgram program : suite.programs()) {
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
    public void requireKeptByTheSurvivors(int size, String programName, boolean kills) {
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
        try (MpiJob job = MpiJob.of(ContractRank.class, ranks).on(flavour)
                .arguments(suite.getClass().getName(), programName)
                .vmOption("-D" + ContractRank.THREAD_LEVEL + "=" + threadLevel).timeout(TIMEOUT).start()) {
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
