package org.restorej.comm.testing.mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/**
 * Proves suites in MPI jobs. All programs that run on the same number of ranks share one job, since most of a job's
 * time is that of its start; but a program that really kills ranks has a job of its own.
 */
public final class ContractJobs {
    /** Limits of what hangs; what works takes seconds, on a busy machine half a minute. */
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Duration SHARED_TIMEOUT = Duration.ofMinutes(10);

    private final MpiFlavour flavour;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, Run> sharedRuns = new HashMap<>();
    private final Supplier<Optional<Nodes>> nodes;

    /** Jobs on one kind of MPI, of no suite yet. */
    public ContractJobs(MpiFlavour flavour) {
        this(flavour, Optional::empty);
    }

    /** The same, on several nodes, which are asked for when the first job starts. */
    public ContractJobs(MpiFlavour flavour, Supplier<Optional<Nodes>> nodes) {
        this.flavour = flavour;
        this.nodes = nodes;
    }

    private record Entry(ContractSuite suite, List<Integer> sizes, boolean failures) {}

    /** How a rank fails. */
    private enum Failure {
        /** Nobody does. */
        NONE,
        /** It is killed and reports nothing. */
        SILENT,
        /** It only counts as failed, and says so. */
        REPORTED;

        boolean explains(Optional<String> outcome) {
            return switch (this) {
                case NONE -> false;
                case SILENT -> outcome.isEmpty();
                case REPORTED -> outcome.equals(Optional.of(ContractRank.FAILED));
            };
        }
    }

    private record Run(MpiJob job, MpiResult result) {
        Optional<String> outcome(ContractSuite suite, ContractProgram program, int rank) {
            return job.report(ContractRank.reportName(suite, program, rank));
        }
    }

    /** Adds a suite whose programs leave everybody alive, to be run on these numbers of ranks. */
    public ContractJobs add(ContractSuite suite, Integer... sizes) {
        entries.add(new Entry(suite, List.of(sizes), false));
        return this;
    }

    /** Adds a suite in whose programs ranks die, to be run on these numbers of ranks. */
    public ContractJobs addWithFailures(ContractSuite suite, Integer... sizes) {
        entries.add(new Entry(suite, List.of(sizes), true));
        return this;
    }

    /** A test for each program of a suite and each size at which it makes sense; for each suite a container. */
    public Stream<DynamicContainer> tests() {
        return entries.stream().map(entry -> DynamicContainer.dynamicContainer(name(entry), entry.sizes().stream()
                .flatMap(size -> entry.suite().programs().stream()
                        .filter(program -> program.fits(size, flavour.survivesFailures()))
                        .map(program -> DynamicTest.dynamicTest(program.name() + " on " + size,
                                () -> prove(entry, size, program))))));
    }

    /** Of each suite that was added a test of its first program, on its first number of ranks. */
    public Stream<DynamicTest> firstOfEachSuite() {
        return entries.stream().map(entry -> {
            ContractProgram first = entry.suite().programs().getFirst();
            int size = entry.sizes().getFirst();
            return DynamicTest.dynamicTest(name(entry) + ", " + first.name() + " on " + size,
                    () -> prove(entry, size, first));
        });
    }

    private static String name(Entry entry) {
        return entry.suite().getClass().getSimpleName();
    }

    private boolean reallyKills(Entry entry) {
        return entry.failures() && flavour.survivesFailures();
    }

    private void prove(Entry entry, int size, ContractProgram program) {
        flavour.require();
        if (reallyKills(entry)) {
            requireKeptByTheSurvivors(entry.suite(), size, program);
            return;
        }
        Run run = sharedRuns.computeIfAbsent(size, this::runShared);
        requireKept(run, entry.suite(), size, program, entry.failures() ? Failure.REPORTED : Failure.NONE);
        if (run.result().exitCode() != 0 && allEnded(run, size)) {
            run.result().requireSuccess();
        }
    }

    /** In a job of its own, whose killed ranks report nothing. */
    private void requireKeptByTheSurvivors(ContractSuite suite, int size, ContractProgram program) {
        Run run = run(size, TIMEOUT, List.of(ContractRank.ONE, suite.getClass().getName(), program.name()));
        requireKept(run, suite, size, program, Failure.SILENT);
        run.result().requireSuccess();
    }

    private void requireKept(Run run, ContractSuite suite, int size, ContractProgram program, Failure failure) {
        int failed = 0;
        StringBuilder broken = new StringBuilder();
        for (int rank = 0; rank < size; rank++) {
            Optional<String> outcome = run.outcome(suite, program, rank);
            if (failure.explains(outcome)) {
                failed++;
            } else if (!outcome.equals(Optional.of(ContractRank.KEPT))) {
                // Of every rank: the first one may only have met what another one began.
                broken.append("rank ").append(rank).append(outcome.map(text -> ": " + text)
                        .orElse(" didn't come to the end of " + program.name() + '\n'));
            }
        }
        if (!broken.isEmpty()) {
            throw new AssertionError(broken + run.result().describe());
        }
        if (failure != Failure.NONE && (failed == 0 || failed == size)) {
            throw new AssertionError(failed + " of " + size + " ranks were killed\n" + run.result().describe());
        }
        RunTable.kept(flavour, run.job().report(ContractRank.LIBRARY), suite.getClass().getPackageName(),
                suite.getClass().getSimpleName() + " " + program.name() + " on " + size);
    }

    /** A job that ended badly although all its programs came to their end is an error of each of them. */
    private boolean allEnded(Run run, int size) {
        return entries.stream().filter(entry -> isShared(entry, size)).allMatch(entry -> entry.suite().programs()
                .stream().filter(program -> program.fits(size, flavour.survivesFailures())).allMatch(program -> {
                    for (int rank = 0; rank < size; rank++) {
                        if (run.outcome(entry.suite(), program, rank).isEmpty()) {
                            return false;
                        }
                    }
                    return true;
                }));
    }

    private boolean isShared(Entry entry, int size) {
        return entry.sizes().contains(size) && !reallyKills(entry);
    }

    private Run runShared(int size) {
        List<String> arguments = new ArrayList<>();
        for (Entry entry : entries) {
            if (isShared(entry, size)) {
                arguments.add(entry.failures() ? ContractRank.FAILURES : ContractRank.ALIVE);
                arguments.add(entry.suite().getClass().getName());
            }
        }
        return run(size, SHARED_TIMEOUT, arguments);
    }

    private Run run(int ranks, Duration timeout, List<String> arguments) {
        MpiJob.Launch launch = MpiJob.of(ContractRank.class, ranks).on(flavour)
                .arguments(arguments.toArray(String[]::new)).timeout(timeout);
        nodes.get().ifPresent(launch::on);
        try (MpiJob job = launch.start()) {
            return new Run(job, job.await());
        }
    }
}
