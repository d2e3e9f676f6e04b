package org.restorej.comm.local;

import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.StuckClusterException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.internal.memory.NativeMemory;

/** One run of a program on a local cluster: its PEs, their threads, and the state that they share. */
final class ClusterRun {
    /** How long a run waits at its end for threads that are in no communication call and ignore interrupts. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** About the size of the buffers and replicas of a store with little data. */
    private static final long DEFERRABLE_BYTES_PER_PE = 1 << 20;

    private static final System.Logger LOGGER = System.getLogger("org.restorej");

    /** Ends the threads of an aborted run; the run reports the reason once. */
    private static final class AbortedRunError extends Error {
        private static final long serialVersionUID = 1L;

        AbortedRunError() {
            super("the run of the local cluster was given up", null, false, false);
        }
    }

    private final FaultInjector faults;
    private final NetworkModel network;
    private final Scheduler scheduler;
    private final List<Pe> pes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Context> contexts = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable String> abortReason = new AtomicReference<>();
    private final AtomicInteger thrown = new AtomicInteger();
    private final AtomicReference<PeOutcome.@Nullable Threw<?>> firstThrown = new AtomicReference<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger unreceivedMessages = new AtomicInteger();
    /** Memory that the library allocates for the PEs; a failed PE doesn't close its stores. */
    private final NativeMemory memory;
    private final AtomicInteger unended;

    ClusterRun(LocalCluster.Builder settings) {
        Long seed = settings.seed;
        faults = settings.faults;
        // Two generators, so that one more decision of one kind doesn't change all decisions of the other kind.
        network = new NetworkModel(seed == null ? null : ~seed);
        scheduler = seed == null
                ? new FreeRunning(this, settings.size)
                : new SingleStepping(this, settings.size, seed);
        memory = new NativeMemory(seed == null && FreeRunning.isCrowd(settings.size)
                ? settings.size * DEFERRABLE_BYTES_PER_PE
                : 0);
        unended = new AtomicInteger(settings.size);
        for (int rank = 0; rank < settings.size; rank++) {
            pes.add(new Pe(this, OriginalRank.of(rank)));
        }
    }

    FaultInjector faults() {
        return faults;
    }

    NetworkModel network() {
        return network;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Pe pe(int originalRank) {
        return pes.get(originalRank);
    }

    /** Number of PEs that have failed. */
    int failures() {
        return failures.get();
    }

    void register(Context context) {
        contexts.add(context);
    }

    void unregister(Context context) {
        if (contexts.remove(context)) {
            unreceivedMessages.addAndGet(context.waitingMessages());
        }
    }

    /** Number of messages that surviving PEs have not received, in open and closed communicators. */
    int unreceivedMessages() {
        return unreceivedMessages.get() + contexts.stream().mapToInt(Context::waitingMessages).sum();
    }

    /** Runs the program on all PEs, and returns when all threads have ended. */
    <T extends @Nullable Object> List<PeOutcome<T>> execute(PeProgram<T> program, @Nullable Duration timeout) {
        Context world = new Context(this, RankMap.identity(pes.size()));
        AtomicReferenceArray<@Nullable PeOutcome<T>> outcomes = new AtomicReferenceArray<>(pes.size());
        for (Pe pe : pes) {
            int rank = pe.originalRank().value();
            threads.add(scheduler.newThread(pe, () -> inMemoryOfTheRun(() -> {
                try {
                    outcomes.set(rank, outcomeOf(pe, world, program));
                } catch (AbortedRunError aborted) {
                    pe.finishedAs("aborted");
                }
            })));
        }
        threads.forEach(Thread::start);
        scheduler.begin();
        join(timeout);
        String reason = abortReason.get();
        if (reason != null) {
            throw new StuckClusterException(reason);
        }
        List<PeOutcome<T>> results = new ArrayList<>();
        for (int rank = 0; rank < pes.size(); rank++) {
            PeOutcome<T> outcome = outcomes.get(rank);
            if (outcome == null) {
                throw new IllegalStateException("PE " + rank + " ended without an outcome");
            }
            results.add(outcome);
        }
        return results;
    }

    /** Runs a PE. The last one to end frees the memory: before, another PE may be reading that of a failed one. */
    private void inMemoryOfTheRun(Runnable pe) {
        try {
            memory.with(pe);
        } finally {
            if (unended.decrementAndGet() == 0) {
                endMemory();
            }
        }
    }

    /**
     * Frees the memory. Threads that PEs have started finish their current access, and get an error at the next one.
     */
    private void endMemory() {
        long deadline = System.nanoTime() + GRACE.toNanos();
        while (!memory.end() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    private <T extends @Nullable Object> PeOutcome<T> outcomeOf(Pe pe, Context world, PeProgram<T> program) {
        scheduler.started(pe);
        pe.started();
        try (LocalCommunicator communicator = new LocalCommunicator(pe, world,
                world.ranks().currentRankOf(pe.originalRank().value()))) {
            T value = program.run(communicator);
            if (pe.hasFailed()) {
                return new PeOutcome.Failed<>(pe.originalRank());
            }
            pe.finishedAs("returned");
            return new PeOutcome.Returned<>(pe.originalRank(), value);
        } catch (AbortedRunError aborted) {
            throw aborted;
        } catch (Throwable failure) {
            if (pe.hasFailed()) {
                return new PeOutcome.Failed<>(pe.originalRank());
            }
            pe.finishedAs("threw " + failure);
            // Logged at once, because the other PEs may run for long or wait for this one. One line only, of all PEs
            // that throw the same, because the run ends in an exception with the cause.
            int order = thrown.getAndIncrement();
            PeOutcome.Threw<T> threw = new PeOutcome.Threw<>(pe.originalRank(), failure, order);
            PeOutcome.Threw<?> first = firstThrown.compareAndExchange(null, threw);
            System.Logger.Level level = first != null && threw.isSameAs(first)
                    ? System.Logger.Level.DEBUG
                    : System.Logger.Level.WARNING;
            LOGGER.log(level, () -> "the program of PE " + pe.originalRank()
                    + " has thrown, and to the others it has failed: " + failure
                    + (threw.isConsequence() ? "" : placeOf(failure)));
            markFailed(pe);
            return threw;
        } finally {
            scheduler.finished(pe);
        }
    }

    /** Where the application has thrown it, for users who don't wait for the end of the run. */
    private static String placeOf(Throwable failure) {
        return Stream.of(failure.getStackTrace()).filter(frame -> !frame.getClassName().startsWith("java.")).findFirst()
                .map(frame -> " at " + frame).orElse("");
    }

    /**
     * Marks a PE as failed for all others. Called by its own thread, after a simulated failure or an exception of its
     * program.
     */
    void markFailed(Pe failed) {
        failed.markFailed();
        failures.incrementAndGet();
        contexts.forEach(context -> {
            context.dropMessagesFrom(failed);
            context.releaseIfUnused();
        });
        for (Pe pe : pes) {
            if (pe != failed && !pe.hasFailed()) {
                pe.detector().announceFailure(failed.originalRank().value(), network.noticeDelaySteps());
                pe.signal();
            }
        }
    }

    void checkNotAborted() {
        if (abortReason.get() != null) {
            throw new AbortedRunError();
        }
    }

    /** Aborts the run, after printing what every PE is doing. Every later communication call then throws. */
    void abort(String why) {
        String activities = pes.stream().map(pe -> "\n  " + pe).collect(Collectors.joining());
        if (abortReason.compareAndSet(null, why + activities)) {
            dump(System.err, why);
            threads.forEach(Thread::interrupt);
        }
    }

    private void dump(PrintStream out, String why) {
        StringBuilder text = new StringBuilder("local cluster: ").append(why).append('\n');
        for (int rank = 0; rank < pes.size(); rank++) {
            text.append(pes.get(rank)).append('\n');
            for (StackTraceElement frame : threads.get(rank).getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        out.print(text);
    }

    private void join(@Nullable Duration timeout) {
        long begin = System.nanoTime();
        try {
            for (Thread thread : threads) {
                while (abortReason.get() == null && !thread.join(interval(timeout, begin))) {
                    if (timeout != null && System.nanoTime() - begin >= timeout.toNanos()) {
                        abort("out of time: not finished within " + timeout);
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            abort("interrupted");
            Thread.currentThread().interrupt();
        }
        if (abortReason.get() != null) {
            joinAborted();
        }
    }

    /** Time until the next check whether the run was aborted, at most the rest of the timeout. */
    private static Duration interval(@Nullable Duration timeout, long begin) {
        return timeout == null
                ? LOOK
                : Duration.ofNanos(
                        Math.clamp(timeout.toNanos() - (System.nanoTime() - begin), 1, LOOK.toNanos()));
    }

    /** Waits for the threads of an aborted run, and records the names of those that don't end. */
    private void joinAborted() {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + GRACE.toNanos();
        for (Thread thread : threads) {
            while (thread.isAlive() && System.nanoTime() < deadline) {
                try {
                    thread.join(Duration.ofMillis(10));
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        }
        String left = threads.stream().filter(Thread::isAlive).map(Thread::getName).collect(Collectors.joining(", "));
        if (!left.isEmpty()) {
            abortReason.updateAndGet(reason -> reason + "\n  still running after " + GRACE + ": " + left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
