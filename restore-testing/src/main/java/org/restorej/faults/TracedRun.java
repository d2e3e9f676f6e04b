package org.restorej.faults;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/** Runs a program once with chosen failures, and keeps its outcome. The same seed and failures give the same run. */
final class TracedRun<T extends @Nullable Object> {
    private final Trace trace;
    private final @Nullable List<PeOutcome<T>> outcomes;
    private final @Nullable RuntimeException thrown;

    private TracedRun(Trace trace, @Nullable List<PeOutcome<T>> outcomes, @Nullable RuntimeException thrown) {
        this.trace = trace;
        this.outcomes = outcomes;
        this.thrown = thrown;
    }

    static <T extends @Nullable Object> TracedRun<T> of(int pes, long seed, List<Failure> failures, Duration longest,
            FailureAtEveryCall.Program<T> program, Runnable preparation) {
        preparation.run();
        Trace trace = new Trace(pes, failures);
        try (LocalCluster cluster = LocalCluster.builder(pes).faults(trace).singleStepping(seed).timeout(longest)
                .build()) {
            return new TracedRun<>(trace, cluster.run(world -> program.run(world, trace.part(world.rank()))), null);
        } catch (RuntimeException stuck) {
            return new TracedRun<>(trace, null, stuck);
        }
    }

    Trace trace() {
        return trace;
    }

    /** Results of the PEs that have not failed, by rank. */
    List<T> results() {
        return PeOutcome.values(ended());
    }

    private Set<Integer> returned() {
        results();
        return ended().stream().filter(PeOutcome.Returned.class::isInstance)
                .map(outcome -> outcome.originalRank().value()).collect(Collectors.toCollection(TreeSet::new));
    }

    private List<PeOutcome<T>> ended() {
        if (thrown != null) {
            throw thrown;
        }
        return Objects.requireNonNull(outcomes);
    }

    /** Checks that the failures have happened, that no other PE failed or threw, and that all others have ended. */
    void requireEnd(List<Failure> failures, TracedRun<T> clean) {
        Set<Integer> returned = returned();
        if (!trace.missing().isEmpty()) {
            throw new AssertionError("these failures never happened: " + trace.missing());
        }
        // A PE that fails itself in the run without failures may have failed earlier in this run.
        Set<Integer> expected = clean.returned();
        failures.forEach(failure -> expected.remove(failure.pe()));
        if (!returned.containsAll(expected)) {
            throw new AssertionError(
                    "all PEs that don't fail must return, " + expected + ", not only " + returned + ": "
                            + ended());
        }
    }
}
