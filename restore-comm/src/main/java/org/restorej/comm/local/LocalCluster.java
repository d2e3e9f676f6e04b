package org.restorej.comm.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.internal.program.ProgramRun;

/**
 * Runs PEs as threads of this JVM, with the semantics of MPI with user-level failure mitigation (ULFM). Used where
 * there is no MPI, and to place failures at exact calls.
 *
 * <p>
 * <b>Free-running</b>, the default: PEs are platform threads that run concurrently. <b>Single-stepping</b>: one PE runs
 * at a time, and every communication call may switch to another PE. Everything that MPI leaves open (which PE runs
 * next, whether a message of a failed PE arrives, when a PE learns of a failure) is chosen from a seed, so a run can be
 * repeated.
 *
 * <p>
 * A PE fails when a {@link FaultInjector} decides so, or in {@link FailureSimulation#fail}. A PE whose program throws
 * counts as failed for the others, like a process that exits with an error, and is logged at once. Large messages are
 * copied once, by the receiver's thread, from the sender's segment into the receiver's, during any of its calls.
 * Segments of confined arenas work, with one more copy by the sender.
 *
 * <p>
 * Memory: {@code P} entries for each communicator; nothing is kept between runs. Off-heap memory of stores and redsets
 * is freed when the run ends, closed or not, as that of a process is. Threads that a PE starts belong to its run. With
 * more than eight PEs for each processor, off-heap memory that was closed is freed only at the end of the run, up to 1
 * MiB for each PE, because each release is a handshake of all threads.
 *
 * <pre>{@code
 * List<Long> sums = LocalCluster.run(4, world -> {
 *     long[] sum = {world.rank()};
 *     world.allReduce(sum, Reduction.SUM);
 *     return sum[0];
 * });
 * }</pre>
 */
public final class LocalCluster implements AutoCloseable {
    /** More PEs are treated as a mistake: each has a thread, and collective calls take time linear in their number. */
    private static final int MAX_PES = 4096;

    private final Builder settings;
    private final Set<ClusterRun> running = ConcurrentHashMap.newKeySet();
    private volatile int unreceivedMessages;
    private volatile boolean closed;

    private LocalCluster(Builder settings) {
        this.settings = settings;
    }

    /**
     * Creates settings of a cluster, by default free-running without faults or time limit.
     *
     * @param size number of PEs, 1 to 4096
     */
    public static Builder builder(int size) {
        return new Builder(size);
    }

    /**
     * Runs a program on a free-running cluster.
     *
     * @param size number of PEs, 1 to 4096
     * @return results of the PEs, by rank; failed PEs have none
     * @throws PeFailedException when a PE threw
     */
    public static <T extends @Nullable Object> List<T> run(int size, PeProgram<T> program) {
        try (LocalCluster cluster = builder(size).build()) {
            return PeOutcome.values(cluster.run(program));
        }
    }

    /**
     * Wraps a program so that the survivors restart it after a failure that it doesn't handle: a
     * {@link org.restorej.comm.ProcessFailedException} or {@link org.restorej.comm.CommunicatorRevokedException} after
     * a failure, for example before the first submission is done. It restarts from its beginning, with a communicator
     * of the survivors, so its earlier work may be done twice. It ends when it has returned on all survivors.
     *
     * <p>
     * A {@code shrink} doesn't wait for a PE on which the program has returned. The results are those of the last
     * attempt.
     *
     * @param program gets a communicator that only it closes
     */
    public static <T extends @Nullable Object> PeProgram<T> restarting(PeProgram<T> program) {
        return world -> {
            if (world instanceof LocalCommunicator own) {
                return new ProgramRun<>(own, LocalAttempt::begin).run(program::run);
            }
            throw new IllegalArgumentException("world must be what a local cluster gives to a program: world="
                    + world.getClass().getSimpleName());
        };
    }

    /**
     * Runs a program on all PEs, and waits until all have ended. May be called again; no PE has failed at the start of
     * a run.
     *
     * @return how it ended on each PE, by original rank
     * @throws StuckClusterException when time is up, the calling thread is interrupted, or, single-stepping, all PEs
     *         wait for each other; stack traces and calls of all PEs have then been written to standard error
     */
    public <T extends @Nullable Object> List<PeOutcome<T>> run(PeProgram<T> program) {
        if (closed) {
            throw new IllegalStateException("the cluster is closed");
        }
        ClusterRun run = new ClusterRun(settings);
        running.add(run);
        try {
            return run.execute(program, settings.timeout);
        } finally {
            running.remove(run);
            unreceivedMessages = run.unreceivedMessages();
        }
    }

    /**
     * Number of messages of the last run that the PEs that had not failed did not receive; 0 after a program that
     * receives everything.
     */
    public int unreceivedMessages() {
        return unreceivedMessages;
    }

    /** Aborts runs that other threads have started. */
    @Override
    public void close() {
        closed = true;
        running.forEach(run -> run.abort("the cluster was closed"));
    }

    /** Settings of a cluster. Not thread-safe. */
    public static final class Builder {
        final int size;
        FaultInjector faults = FaultInjector.NONE;
        @Nullable
        Long seed;
        @Nullable
        Duration timeout;
        private Builder(int size) {
            if (size < 1 || size > MAX_PES) {
                throw new IllegalArgumentException("size must be in [1, " + MAX_PES + "]: size=" + size);
            }
            this.size = size;
        }

        private Builder(Builder other) {
            size = other.size;
            faults = other.faults;
            seed = other.seed;
            timeout = other.timeout;
        }

        /** Sets where PEs fail. */
        public Builder faults(FaultInjector faultInjector) {
            faults = Objects.requireNonNull(faultInjector);
            return this;
        }

        /** Runs one PE at a time, with all choices from a seed. */
        public Builder singleStepping(long choicesSeed) {
            seed = choicesSeed;
            return this;
        }

        /**
         * Aborts a run after this time.
         *
         * @param limit longer than zero
         */
        public Builder timeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("timeout must be positive: timeout=" + limit);
            }
            timeout = limit;
            return this;
        }

        /** Creates a cluster with these settings. */
        public LocalCluster build() {
            return new LocalCluster(new Builder(this));
        }
    }

    /**
     * Decides at every communication call of every PE of a {@link LocalCluster} whether the PE fails there.
     *
     * <p>
     * Called once for each call, by the thread of the PE; in a free-running cluster by several threads at once. In a
     * single-stepping cluster the sequence of calls is determined by program and seed, so it is also a trace of the
     * run.
     */
    @FunctionalInterface
    public interface FaultInjector {
        /** No PE fails. */
        FaultInjector NONE = (originalRank, callIndex, operation) -> Fate.GOES_ON;

        /** The outcome for a PE at a call. */
        enum Fate {
            /** The PE doesn't fail. */
            GOES_ON,
            /** The PE fails, and the call has no effect on the others. */
            FAILS_BEFORE,
            /**
             * The PE fails after the call has taken effect: the message is sent, or the barrier or agreement entered.
             * It doesn't wait for the others.
             */
            FAILS_AFTER
        }

        /**
         * Decides whether the PE fails at this call.
         *
         * @param originalRank of the calling PE
         * @param callIndex number of communication calls of this PE before this one
         * @param operation the call
         */
        Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation);

        /** The communication calls of a PE, as {@link FaultInjector}s and messages about waiting PEs name them. */
        enum Operation {
            /** {@link Communicator#iSend}. */
            SEND("iSend"),
            /** {@link Communicator#iSsend}. */
            SEND_SYNCHRONOUS("iSsend"),
            /** {@link Communicator#iReceive}. */
            RECEIVE("iReceive"),
            /** {@link Communicator#iProbe}. */
            PROBE("probe"),
            /** {@link Request#test} of a request that has not completed. */
            TEST("test"),
            /** {@link Request#cancel} of a request that has not completed. */
            CANCEL("cancel"),
            /** {@link Communicator#iBarrier}. */
            BARRIER("barrier"),
            /** {@link Communicator#allGather}. */
            ALL_GATHER("allGather"),
            /** {@link Communicator#allReduce(long[], Reduction)} and the other reductions. */
            ALL_REDUCE("allReduce"),
            /** {@link Communicator#agree}. */
            AGREE("agree"),
            /** {@link Communicator#revoke}. */
            REVOKE("revoke"),
            /** {@link Communicator#isRevoked}. */
            IS_REVOKED("isRevoked"),
            /** {@link Communicator#failedRanks}. */
            FAILED_RANKS("failedRanks"),
            /** {@link Communicator#shrink}. */
            SHRINK("shrink"),
            /** {@link Communicator#duplicate}. */
            DUPLICATE("duplicate"),
            /** {@link Communicator#split}. */
            SPLIT("split"),
            /** {@link FailureSimulation#fail}. */
            FAIL("fail");

            private final String methodName;

            Operation(String methodName) {
                this.methodName = methodName;
            }

            /**
             * Whether a call without success changes nothing, so that programs repeat it until something has changed.
             */
            boolean polls() {
                return this == PROBE || this == TEST || this == IS_REVOKED || this == FAILED_RANKS;
            }

            @Override
            public String toString() {
                return methodName;
            }
        }
    }

    /**
     * The program that every PE of a {@link LocalCluster} runs, each in its own thread.
     *
     * @param <T> result of a PE
     */
    @FunctionalInterface
    public interface PeProgram<T extends @Nullable Object> {
        /**
         * Runs the program of one PE.
         *
         * @param world all PEs; the cluster closes it
         * @throws Exception ends this PE, which then counts as failed for the others
         */
        T run(Communicator world) throws Exception;
    }

    /**
     * How the program of one PE of a {@link LocalCluster} ended.
     *
     * @param <T> result of the program
     */
    public sealed interface PeOutcome<T extends @Nullable Object> {
        /** The PE. */
        OriginalRank originalRank();

        /** The program returned. */
        record Returned<T extends @Nullable Object>(OriginalRank originalRank, T value) implements PeOutcome<T> {}

        /**
         * The program threw something other than its simulated failure.
         *
         * @param order number of PEs that had thrown before; the first one is usually the cause of the others
         */
        record Threw<T extends @Nullable Object>(OriginalRank originalRank, Throwable thrown, int order)
                implements
                    PeOutcome<T> {
            /** Whether other PEs caused it, or all PEs throw it. */
            boolean isConsequence() {
                return thrown instanceof CommunicationFailedException || thrown instanceof KnownToAll;
            }

            /** Whether another PE threw the same at the same place. */
            boolean isSameAs(Threw<?> other) {
                return thrown.toString().equals(other.thrown.toString())
                        && Arrays.equals(thrown.getStackTrace(), other.thrown.getStackTrace());
            }
        }

        /** The PE's failure was simulated. */
        record Failed<T extends @Nullable Object>(OriginalRank originalRank) implements PeOutcome<T> {}

        /**
         * Results of the PEs that returned, in the given order; failed PEs have none.
         *
         * @throws PeFailedException when a PE threw: its cause is the first exception. Independent exceptions of other
         *         PEs are suppressed exceptions, and consequences are in the message
         */
        static <T extends @Nullable Object> List<T> values(List<? extends PeOutcome<T>> outcomes) {
            List<Threw<T>> failures = new ArrayList<>();
            List<T> values = new ArrayList<>();
            for (PeOutcome<T> outcome : outcomes) {
                switch (outcome) {
                    case Returned<T> returned -> values.add(returned.value());
                    case Threw<T> threw -> failures.add(threw);
                    case Failed<T> failed -> {
                    }
                }
            }
            if (failures.isEmpty()) {
                return values;
            }
            throw new PeFailedException(ThrownByPes.of(failures));
        }
    }

    /**
     * The program of a PE threw; the cause is the first exception. Exceptions of other PEs that follow from it, such as
     * the failure of a process, and equal exceptions from the same place, are lines of the message; others are
     * suppressed exceptions.
     */
    public static class PeFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final OriginalRank originalRank;

        PeFailedException(ThrownByPes thrown) {
            super(thrown.message(), thrown.first().thrown());
            originalRank = thrown.first().originalRank();
            thrown.independent().forEach(other -> addSuppressed(other.thrown()));
        }

        /** The PE that threw first. */
        public OriginalRank originalRank() {
            return originalRank;
        }
    }

    /** A run was aborted: out of time, interrupted, or, single-stepping, all its PEs waited for each other. */
    public static class StuckClusterException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StuckClusterException(String message) {
            super(message);
        }
    }
}
