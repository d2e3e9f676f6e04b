package org.restorej.internal.program;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;

/**
 * Runs a program to its end on all survivors. Restarts it from its beginning after each failure that it doesn't handle.
 *
 * @param <C> the transport's communicator
 */
public final class ProgramRun<C extends Communicator> {
    /**
     * A program of one PE.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        /** Runs it. */
        T run(Communicator world) throws Exception;
    }

    /**
     * Identity hash of the last exception that this thread has thrown from a loop whose other PEs continue, or 0. A
     * reference would keep the exception reachable.
     */
    private static final ThreadLocal<int[]> LEFT_TO_LOOP = ThreadLocal.withInitial(() -> new int[1]);

    /** Limit, because an exception may be among its own causes. */
    private static final int MAX_CAUSES = 100;

    private final Function<C, Attempt> beginning;
    private final int limit = ApplicationFailedException.limit();
    private C own;
    /** Number of restarts after an exception of the application. */
    private int exceptions;

    /**
     * Creates a run on the PEs of a communicator, which the program doesn't see.
     *
     * @param beginning starts an attempt; called by all PEs that are not known to have failed, and waits for them
     */
    public ProgramRun(C own, Function<C, Attempt> beginning) {
        this.own = own;
        this.beginning = beginning;
    }

    /** The communicator of the PEs that are not known to have failed. */
    public C own() {
        return own;
    }

    /**
     * Marks an exception of which the other PEs need not be told, because they continue in the loop that it has left.
     */
    public static void leaveToLoop(Throwable thrown) {
        LEFT_TO_LOOP.get()[0] = System.identityHashCode(thrown);
    }

    /** Removes the mark, because the program has called the loop again. */
    public static void returnToLoop() {
        LEFT_TO_LOOP.get()[0] = 0;
    }

    /**
     * Runs a program. Called by all PEs.
     *
     * @return its result on this PE, when it has returned on all survivors
     * @throws Exception an exception of the program on this PE; or, on all survivors, one that all have thrown: a
     *         {@link KnownToAll}, or a revocation although no process has failed
     * @throws ApplicationFailedException on all survivors, if exceptions of the application have ended more PEs than the
     *         limit allows
     */
    @SuppressWarnings("NullAway") // Where it has returned, the result is a T, whatever that is.
    public <T extends @Nullable Object> T run(Body<T> program) throws Exception {
        while (true) {
            Attempt attempt = begin();
            T result = null;
            Throwable met = null;
            try {
                result = program.run(attempt.communicator());
                // Other PEs may wait for this PE's part.
                Background.end();
            } catch (SimulatedFailureError failed) {
                throw failed;
            } catch (Throwable thrown) {
                if (isOwn(thrown) && isLeftToLoop(thrown)) {
                    throw thrown;
                }
                met = isFailure(thrown) ? thrown : meaning(attempt, thrown);
                if (isOwn(met)) {
                    attempt.endsByException();
                    throw thrown;
                }
            }
            boolean failed = met != null && isFailure(met);
            if (attempt.ends(!failed)) {
                if (met != null) {
                    throw Settlement.<RuntimeException>sneakyThrow(met);
                }
                return result;
            }
            int before = own.size();
            shrink(attempt);
            if (own.size() == before) {
                // No process has failed, so a restart would meet the same exception.
                if (met instanceof RuntimeException failure) {
                    throw failure;
                }
                throw new CommunicatorRevokedException("the program");
            }
        }
    }

    private Attempt begin() {
        while (true) {
            try {
                return new Meeting().at(own).settle("beginning the program", () -> beginning.apply(own));
            } catch (RuntimeException failure) {
                if (!isFailure(failure)) {
                    throw failure;
                }
                shrink(null);
            }
        }
    }

    /** Shrinks to the survivors, or stops on all PEs when the application has thrown too often. */
    @SuppressWarnings("unchecked") // A transport shrinks to a communicator of its own.
    private void shrink(@Nullable Attempt latest) {
        RankMap before = own.ranks();
        own = (C) own.shrink();
        List<OriginalRank> gone = own.ranks().absentRanks().stream()
                .filter(rank -> before.currentRankOf(rank.value()) != Communicator.NO_RANK).toList();
        if (latest != null && latest.hasThrownOnOneOf(gone)) {
            exceptions++;
            if (exceptions > limit) {
                throw new ApplicationFailedException("the application has thrown in the program"
                        + (limit == 0 ? "" : ", which had been restarted because it had thrown before")
                        + ": on one of original ranks " + gone + ", which has printed its exception");
            }
        }
    }

    /** Whether a thrown exception is the marked one, or has it as a cause. */
    private static boolean isLeftToLoop(Throwable thrown) {
        int left = LEFT_TO_LOOP.get()[0];
        return left != 0 && causes(thrown).anyMatch(cause -> System.identityHashCode(cause) == left);
    }

    /**
     * The failure behind an exception of the program's own MPI calls, or else the exception. After a recovery the
     * program's communicator is revoked, so the latest open one is asked.
     */
    private static Throwable meaning(Attempt attempt, Throwable thrown) {
        for (Communicator communicator : GroupCommunicators.successors(attempt.communicator()).reversed()) {
            try {
                return communicator.failureBehind(thrown).<Throwable>map(failure -> failure).orElse(thrown);
            } catch (IllegalStateException closed) {
                // The previous one is asked.
            }
        }
        return thrown;
    }

    /** An exception and its causes, in order. */
    public static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
    }

    private static boolean isOwn(Throwable thrown) {
        return !isFailure(thrown) && !(thrown instanceof KnownToAll);
    }

    /** Whether the survivors continue after it. */
    private static boolean isFailure(Throwable thrown) {
        return thrown instanceof CommunicationFailedException || thrown instanceof ProgramAbandonedError;
    }
}
