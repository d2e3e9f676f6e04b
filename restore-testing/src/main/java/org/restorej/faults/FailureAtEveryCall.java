package org.restorej.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.random.RandomGenerator;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster.PeProgram;

/**
 * Tests a program with a failure at every communication call. It runs the program once without failures, and then once
 * for each call of each PE; in that run the PE fails at the call. The survivors must return what the run without
 * failures returned.
 *
 * <p>
 * PEs are threads of this JVM, and only one runs at a time. All choices follow from a seed, so a run can be repeated
 * exactly from the error message. Works in any test framework and in a plain {@code main}. Every run calls the program
 * again in this JVM, so the program must not depend on static state that an earlier run has changed.
 *
 * <pre>{@code
 * FailureAtEveryCall.of(4, PowerIteration::run).run();
 * }</pre>
 *
 * <p>
 * Cost: one run of the program for each call of a PE; {@link #everyNth} and {@link #within} limit it. Consecutive polls
 * of a PE count as one call, unless {@link #repeatedPolls} is set. Not thread-safe.
 *
 * @param <T> result of the program on each PE, compared by {@code equals}, arrays by their elements
 */
public final class FailureAtEveryCall<T extends @Nullable Object> {
    /** A run that takes longer counts as hanging. */
    private static final Duration MAX_RUN = Duration.ofMinutes(5);

    private final int pes;
    private final Program<T> program;
    private long seed = 1;
    private long nth = 1;
    private int secondFailures;
    private boolean bothSides;
    private boolean repeatedPolls;
    private int parallelRuns = 1;
    private @Nullable Duration budget;
    private Predicate<Call> place = call -> true;
    private Runnable preparation = () -> {};
    private Consumer<Run<T>> check = FailureAtEveryCall::requireResultOfCleanRun;

    /**
     * A program with a part in which PEs fail.
     *
     * @param <T> result on a PE
     */
    @FunctionalInterface
    public interface Program<T extends @Nullable Object> {
        /**
         * Runs the program on one PE.
         *
         * @param world all PEs
         * @param part marks where the calls at which PEs fail begin and end; if no PE marks anything, it is the whole
         *        program
         * @throws Exception fails the test, unless it is this PE's own simulated failure
         */
        T run(Communicator world, Part part) throws Exception;
    }

    /** Marks, on one PE, the part of a program in which PEs fail. Used by the PE's thread only. */
    public interface Part {
        /** PEs may fail from here on. Only the first call has an effect. */
        void begin();

        /** PEs don't fail from here on. Only the first call has an effect. */
        void end();

        /** Number of PEs that fail in this run, here or elsewhere. */
        int failures();
    }

    /**
     * A run that has ended.
     *
     * @param clean results without failures, by rank; in the run without failures its own results
     * @param failures the failures, in the order in which they happened; empty in the run without failures
     * @param survivors results of the survivors, by rank
     */
    public record Run<T extends @Nullable Object>(List<T> clean, List<Failure> failures, List<T> survivors) {}

    /**
     * The number of calls and runs that were tried.
     *
     * @param calls number of calls at which a PE may fail
     * @param runs number of runs with one failure
     * @param runsWithSecondFailure number of runs with two failures
     */
    public record Summary(int calls, int runs, int runsWithSecondFailure) {}

    private FailureAtEveryCall(int pes, Program<T> program) {
        this.pes = pes;
        this.program = program;
    }

    /**
     * Creates a test of a program.
     *
     * @param pes number of PEs, at least 2
     * @param program run by each PE from its start, in each run
     */
    public static <T extends @Nullable Object> FailureAtEveryCall<T> of(int pes, PeProgram<T> program) {
        Objects.requireNonNull(program, "program");
        return ofPart(pes, (world, part) -> program.run(world));
    }

    /** Creates a test of a program that marks the part in which PEs fail. */
    public static <T extends @Nullable Object> FailureAtEveryCall<T> ofPart(int pes, Program<T> program) {
        if (pes < 2) {
            throw new IllegalArgumentException("pes must be at least 2, since one fails: pes=" + pes);
        }
        return new FailureAtEveryCall<>(pes, Objects.requireNonNull(program, "program"));
    }

    /** Seed of all choices: which PE runs next, and which calls are left out. 1 by default. */
    public FailureAtEveryCall<T> seed(long choices) {
        seed = choices;
        return this;
    }

    /**
     * Tries only every nth call. The seed decides which is the first.
     *
     * @param n at least 1
     */
    public FailureAtEveryCall<T> everyNth(long n) {
        nth = atLeastOne("n", n);
        return this;
    }

    /** Starts no further run after this time; {@link Summary} has the number of runs. */
    public FailureAtEveryCall<T> within(Duration longest) {
        budget = Objects.requireNonNull(longest, "longest");
        return this;
    }

    /**
     * Repeats some runs with a second failure, of another PE, at one of its calls after the first failure.
     *
     * @param oneIn one of this many runs is repeated; at least 1
     */
    public FailureAtEveryCall<T> secondFailures(int oneIn) {
        secondFailures = (int) atLeastOne("oneIn", oneIn);
        return this;
    }

    /**
     * Tries each call twice: with a failure before it has an effect, and after. By default the seed chooses one of
     * them.
     */
    public FailureAtEveryCall<T> beforeAndAfter() {
        bothSides = true;
        return this;
    }

    /**
     * Tries every poll, instead of only the first of consecutive ones. Consecutive polls differ in what the other PEs
     * have done meanwhile, but there are many of them.
     */
    public FailureAtEveryCall<T> repeatedPolls() {
        repeatedPolls = true;
        return this;
    }

    /** Tries only the calls that match. */
    public FailureAtEveryCall<T> at(Predicate<Call> calls) {
        place = Objects.requireNonNull(calls, "calls");
        return this;
    }

    /**
     * Number of runs that go on at the same time. Each run uses one core.
     *
     * @param runs 1 by default; more only if runs of the program share no static state
     */
    public FailureAtEveryCall<T> parallel(int runs) {
        parallelRuns = (int) atLeastOne("runs", runs);
        return this;
    }

    /** Runs this before each run. */
    public FailureAtEveryCall<T> before(Runnable prepare) {
        preparation = Objects.requireNonNull(prepare, "prepare");
        return this;
    }

    /**
     * Requires this result of all PEs, with and without failures. By default it is the result of PE 0 without failures.
     */
    public FailureAtEveryCall<T> expecting(T result) {
        return checking(run -> requireAll(run.survivors(), result, "what is expected"));
    }

    /** Checks each run by this, instead of comparing results. It throws if something is wrong. */
    public FailureAtEveryCall<T> checking(Consumer<Run<T>> checker) {
        check = Objects.requireNonNull(checker, "checker");
        return this;
    }

    private static long atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1: " + name + "=" + value);
        }
        return value;
    }

    /**
     * Runs the test.
     *
     * @throws AssertionError when a run went wrong: with the failures of that run, and how to repeat it
     */
    public Summary run() {
        Runs runs = new Runs();
        Trace clean = runs.clean();
        List<Runnable> further = new ArrayList<>();
        long number = 0;
        for (int victim = 0; victim < pes; victim++) {
            for (Call call : clean.callsInPart(victim, repeatedPolls)) {
                if (place.test(call) && Math.floorMod(seed + number++, nth) == 0) {
                    further.add(() -> runs.failAt(call));
                }
            }
        }
        if (further.isEmpty()) {
            throw new AssertionError("no PE makes a call to fail at, of " + number + " calls tried one in " + nth);
        }
        runs.doAll(further);
        return new Summary((int) number, runs.single.get(), runs.twofold.get());
    }

    /**
     * Runs the program once, with the failures that an error message names, such as {@code "1@17-, 0@40+"}: PE 1 fails
     * before its call 17 has an effect, and PE 0 after its call 40.
     *
     * @throws IllegalArgumentException when the text has another form or names a PE that doesn't exist
     * @throws AssertionError when the run goes wrong
     */
    public void repeat(String failures) {
        List<Failure> parsed = Failure.parse(failures);
        parsed.stream().filter(failure -> failure.pe() >= pes).findFirst().ifPresent(failure -> {
            throw new IllegalArgumentException("failures must be of PEs 0 to " + (pes - 1) + ": failures=" + failures);
        });
        Runs runs = new Runs();
        runs.clean();
        runs.once(parsed);
    }

    private static <T extends @Nullable Object> void requireResultOfCleanRun(Run<T> run) {
        requireAll(run.survivors(), run.clean().getFirst(), "as PE 0 did without failures");
    }

    private static <T extends @Nullable Object> void requireAll(List<T> results, T expected, String what) {
        for (T result : results) {
            if (!Objects.deepEquals(expected, result)) {
                throw new AssertionError(
                        "all PEs must return " + expected + ", " + what + ", but one has returned " + result);
            }
        }
    }

    /** The runs of one call of {@link #run}. */
    private final class Runs {
        private final long began = System.nanoTime();
        private final AtomicInteger single = new AtomicInteger();
        private final AtomicInteger twofold = new AtomicInteger();
        private @Nullable TracedRun<T> withoutFailure;

        Trace clean() {
            TracedRun<T> run = TracedRun.of(pes, seed, List.of(), MAX_RUN, program, preparation);
            withoutFailure = run;
            judge(run, List.of());
            return run.trace();
        }

        private boolean isOverBudget() {
            return budget != null && System.nanoTime() - began >= budget.toNanos();
        }

        void failAt(Call call) {
            // SplittableRandom mixes its seed, so neighbouring seeds give unrelated numbers.
            RandomGenerator random = new SplittableRandom((seed * 31 + call.pe()) * 1_000_003 + call.number());
            boolean before = random.nextBoolean();
            failAt(call, before, random);
            if (bothSides) {
                failAt(call, !before, random);
            }
        }

        private void failAt(Call call, boolean before, RandomGenerator random) {
            if (isOverBudget()) {
                return;
            }
            Failure first = new Failure(call.pe(), call.number(), before);
            Trace trace = once(List.of(first));
            single.incrementAndGet();
            if (secondFailures == 0 || random.nextInt(secondFailures) != 0 || isOverBudget()) {
                return;
            }
            List<List<Call>> others = IntStream.range(0, pes).filter(pe -> pe != call.pe())
                    .mapToObj(pe -> trace.callsAfter(first, pe)).filter(calls -> !calls.isEmpty()).toList();
            if (!others.isEmpty()) {
                List<Call> later = others.get(random.nextInt(others.size()));
                Call next = later.get(random.nextInt(later.size()));
                once(List.of(first, new Failure(next.pe(), next.number(), true)));
                twofold.incrementAndGet();
            }
        }

        private Trace once(List<Failure> failures) {
            TracedRun<T> run = TracedRun.of(pes, seed, failures, MAX_RUN, program, preparation);
            judge(run, failures);
            return run.trace();
        }

        private void judge(TracedRun<T> run, List<Failure> failures) {
            TracedRun<T> clean = Objects.requireNonNull(withoutFailure);
            try {
                run.requireEnd(failures, clean);
                check.accept(new Run<>(clean.results(), failures, run.results()));
            } catch (RuntimeException | AssertionError wrong) {
                throw new AssertionError(description(run, failures) + ": " + wrong.getMessage(), wrong);
            }
        }

        private String description(TracedRun<T> run, List<Failure> failures) {
            if (failures.isEmpty()) {
                return "the run without failures, with seed " + seed;
            }
            return run.trace().describe(failures) + ", with seed " + seed + " (run "
                    + (single.get() + twofold.get() + 1)
                    + "; to repeat it: .seed(" + seed + ").repeat(\"" + Failure.text(failures) + "\"))";
        }

        /** In each run only one PE is active at a time, so several runs may go on at once. */
        void doAll(List<Runnable> all) {
            Queue<Runnable> left = new ConcurrentLinkedQueue<>(all);
            Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 1; i < parallelRuns; i++) {
                threads.add(Thread.ofPlatform().start(() -> doWhatIsLeft(left, wrong)));
            }
            doWhatIsLeft(left, wrong);
            threads.forEach(FailureAtEveryCall::join);
            Throwable first = wrong.peek();
            if (first != null) {
                throw new AssertionError(first.getMessage(), first);
            }
        }

        private void doWhatIsLeft(Queue<Runnable> left, Queue<Throwable> wrong) {
            for (Runnable next = left.poll(); next != null && wrong.isEmpty(); next = left.poll()) {
                try {
                    next.run();
                } catch (RuntimeException | Error failure) {
                    wrong.add(failure);
                }
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while runs with failures go on", interruption);
        }
    }
}
