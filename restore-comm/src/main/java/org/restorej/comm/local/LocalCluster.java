package org.restorej.comm.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
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
 * PEs as threads of this JVM, after the semantics of MPI with user-level failure mitigation (ULFM): the transport where
 * there is no MPI, and the one on which failures can be placed exactly.
 *
 * <p>
 * <b>Free-running</b>, the default, PEs are platform threads and run as fast as they can. <b>Single-stepping</b>, one
 * PE runs at a time, every communication call is a point at which another may go on, and everything that MPI leaves
 * open (who is next, whether a message of a failed PE arrives, who learns of a failure when) comes from a seed: a run
 * can be repeated.
 *
 * <p>
 * A PE fails when a {@link FaultInjector} says so or in {@link FailureSimulation#fail}; a PE whose program throws
 * counts as failed for the others, as a process that exits with an error does, and is logged at once. Large messages
 * are copied once, from the sender's segment into the receiver's and by the receiver's thread, during any of its calls.
 * Segments of confined arenas work, with one copy more on the sender's side. A cluster keeps memory of size {@code P}
 * per communicator and nothing between runs. What stores and redsets have off the heap is freed when the run ends,
 * whether closed or not, as that of a process is; threads that a PE starts belong to its run. With more than eight PEs
 * a processor the end of the run also frees some of what was closed before, up to 1 MiB a PE: each time is a handshake
 * of all threads.
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
    /** More PEs than that are a mistake: each has a thread, and collective calls are linear in their number. */
    private static final int MAX_PES = 4096;

    private final Builder settings;
    private final Set<ClusterRun> running = ConcurrentHashMap.newKeySet();
    private volatile int unreceivedMessages;
    private volatile boolean closed;

    private LocalCluster(Builder settings) {
        this.settings = settings;
    }

    /**
     * Settings of a cluster, free-running and without faults or time limit unless they say otherwise.
     *
     * @param size number of PEs, 1 to 4096
     */
    public static Builder builder(int size) {
        return new Builder(size);
    }

    /**
     * Runs a program on a free-running cluster of its own.
     *
     * @param size number of PEs, 1 to 4096
     * @return what the PEs returned, by rank; PEs that failed have no entry
     * @throws PeFailedException when a PE threw
     */
    public static <T extends @Nullable Object> List<T> run(int size, PeProgram<T> program) {
        try (LocalCluster cluster = builder(size).build()) {
            return PeOutcome.values(cluster.run(program));
        }
    }

    /**
     * A program that the survivors restart, from its start and with a communicator of their own, when a failure
     * escapes from it on any of them: a {@link org.restorej.comm.ProcessFailedException} or
     * {@link org.restorej.comm.CommunicatorRevokedException} after a failure, such as one before the first submission
     * is done. What the program has done until then may be done twice. It is over when it has returned on all PEs
     * alive.
     *
     * <p>
     * Who waits in {@code shrink} for a PE whose program has returned already goes on without it. The results are those
     * of the last time.
     *
     * @param program given a communicator that is closed by nobody else
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
     * Runs a program on all PEs and waits until all have ended. May be called again: each run begins with all PEs
     * alive.
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
     * Messages of the last run that PEs alive at its end had not received: 0 after a program that leaves nothing
     * behind.
     */
    public int unreceivedMessages() {
        return unreceivedMessages;
    }

    /** Gives up runs that are still going on in other threads. */
    @Override
    public void close() {
        closed = true;
        running.forEach(run -> run.abort("the cluster was closed"));
    }

    /** Settings of a cluster. One thread. */
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

        /** Which PE fails where. */
        public Builder faults(FaultInjector faultInjector) {
            faults = Objects.requireNonNull(faultInjector);
            return this;
        }

        /** One PE at a time, all choices from the seed. */
        public Builder singleStepping(long choicesSeed) {
            seed = choicesSeed;
            return this;
        }

        /**
         * Gives a run up after so long.
         *
         * @param limit more than nothing
         */
        public Builder timeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("timeout must be positive: timeout=" + limit);
            }
            timeout = limit;
            return this;
        }

        /** A cluster with these settings; nothing runs yet. */
        public LocalCluster build() {
            return new LocalCluster(new Builder(this));
        }
    }

    /**
     * Decides at every communication call of every PE of a {@link LocalCluster} whether the PE fails there.
     *
     * <p>
     * Asked once a call, by the thread of the PE that calls; in a free-running cluster by several threads at once. In a
     * single-stepping cluster the sequence of questions is a function of program and seed, so it is also a trace of the
     * run.
     */
    @FunctionalInterface
    public interface FaultInjector {
        /** No PE fails. */
        FaultInjector NONE = (originalRank, callIndex, operation) -> Fate.GOES_ON;

        /** What becomes of a PE at a call. */
        enum Fate {
            /** The call does what it should. */
            GOES_ON,
            /** The PE fails, and the call has no effect on the others. */
            FAILS_BEFORE,
            /**
             * The PE fails when the call has taken effect: the message is on its way, the barrier or agreement entered.
             * It does not wait for the others.
             */
            FAILS_AFTER
        }

        /**
         * What becomes of the PE at this call.
         *
         * @param originalRank who calls
         * @param callIndex number of communication calls that this PE has made before
         * @param operation what it calls
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
            /** {@link Request#test} of a request that has not answered yet. */
            TEST("test"),
            /** {@link Request#cancel} of a request that has not answered yet. */
            CANCEL("cancel"),
            /** {@link Communicator#iBarrier}. */
            BARRIER("barrier"),
            /** {@link Communicator#allGather}. */
            ALL_GATHER("allGather"),
            /** {@link Communicator#allReduce(long[], Reduction)} and its like. */
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
             * Whether the call only looks: one in vain changes nothing, and programs repeat it until something has
             * changed.
             */
            boolean polls() {
                return this == PROBE || this == TEST || this == IS_REVOKED || this == FAILED_RANKS;
            }

            /** Name of the method. */
            @Override
            public String toString() {
                return methodName;
            }
        }
    }

    /**
     * What every PE of a {@link LocalCluster} runs, each in a thread of its own.
     *
     * @param <T> what a PE hands back
     */
    @FunctionalInterface
    public interface PeProgram<T extends @Nullable Object> {
        /**
         * Runs the program of one PE.
         *
         * @param world all PEs; the cluster closes it
         * @throws Exception ends this PE, which the others then see as a failed process
         */
        T run(Communicator world) throws Exception;
    }

    /**
     * How the program of one PE of a {@link LocalCluster} ended.
     *
     * @param <T> what the program hands back
     */
    public sealed interface PeOutcome<T extends @Nullable Object> {
        /** Which PE. */
        OriginalRank originalRank();

        /** The program returned. */
        record Returned<T extends @Nullable Object>(OriginalRank originalRank, T value) implements PeOutcome<T> {}

        /**
         * The program threw something other than its simulated failure.
         *
         * @param order how many PEs had thrown before: the first one is usually the reason of the others
         */
        record Threw<T extends @Nullable Object>(OriginalRank originalRank, Throwable thrown, int order)
                implements
                    PeOutcome<T> {
            /** Whether it was thrown because of what has happened to other PEs, or is what all of them throw. */
            boolean isConsequence() {
                return thrown instanceof CommunicationFailedException || thrown instanceof KnownToAll;
            }

            /** Whether another PE threw the same in the same place. */
            boolean isSameAs(Threw<?> other) {
                return thrown.toString().equals(other.thrown.toString())
                        && Arrays.equals(thrown.getStackTrace(), other.thrown.getStackTrace());
            }
        }

        /** The PE was made to fail. */
        record Failed<T extends @Nullable Object>(OriginalRank originalRank) implements PeOutcome<T> {}

        /**
         * Values of the PEs that returned, in the order given; PEs that failed have none.
         *
         * @throws PeFailedException when a PE threw: with the exception thrown first as its cause, exceptions of
         *         their own of other PEs suppressed, and consequences of those in its message
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
            failures.sort(Comparator.<Threw<T>, Boolean>comparing(Threw::isConsequence)
                    .thenComparingInt(Threw::order));
            throw new PeFailedException(failures);
        }
    }

    /**
     * The program of a PE threw; the cause is what the first one threw. What other PEs threw because of that, such as that
     * a process has failed, is a line each of the message, as are PEs that threw the same in the same place; other
     * exceptions of their own are suppressed.
     */
    public static class PeFailedException extends RuntimeException {
        private static final int MAX_LINES = 16;

        private static final long serialVersionUID = 1L;

        private final OriginalRank originalRank;

        /**
         * An exception for the caller of a run.
         *
         * @param failures the first is the reason of the run's failure
         */
        PeFailedException(List<? extends PeOutcome.Threw<?>> failures) {
            super("the PE of original rank " + failures.getFirst().originalRank() + " failed: "
                    + failures.getFirst().thrown() + consequences(failures), failures.getFirst().thrown());
            originalRank = failures.getFirst().originalRank();
            failures.stream().skip(1).filter(other -> !isLine(other, failures.getFirst()))
                    .forEach(other -> addSuppressed(other.thrown()));
        }

        private static boolean isLine(PeOutcome.Threw<?> other, PeOutcome.Threw<?> first) {
            return other.isConsequence() || other.isSameAs(first);
        }

        private static String consequences(List<? extends PeOutcome.Threw<?>> failures) {
            List<String> lines = failures.stream().skip(1).filter(other -> isLine(other, failures.getFirst()))
                    .map(other -> "\n  PE " + other.originalRank() + ": "
                            + (other.isSameAs(failures.getFirst()) ? "the same" : other.thrown()))
                    .toList();
            return lines.stream().limit(MAX_LINES).collect(Collectors.joining())
                    + (lines.size() > MAX_LINES ? "\n  and so on " + (lines.size() - MAX_LINES) + " more PEs" : "");
        }

        /** Who threw first. */
        public OriginalRank originalRank() {
            return originalRank;
        }
    }

    /** A cluster was given up: out of time, interrupted, or, single-stepping, all its PEs waited for each other. */
    public static class StuckClusterException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StuckClusterException(String message) {
            super(message);
        }
    }
}
