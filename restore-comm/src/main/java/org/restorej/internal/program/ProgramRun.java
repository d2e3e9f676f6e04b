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
 * Runs a program to its end on all PEs alive, from its beginning after each failure that it lets escape.
 *
 * @param <C> the transport's communicator
 */
public final class ProgramRun<C extends Communicator> {
    /**
     * A program of one PE.
     *
     * @param <T> what it hands back
     */
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        /** Runs it. */
        T run(Communicator world) throws Exception;
    }

    /**
     * The identity hash of what this thread has thrown last from a loop whose other PEs go on by themselves, 0 for none:
     * the exception itself would be kept alive.
     */
    private static final ThreadLocal<int[]> LEFT_TO_LOOP = ThreadLocal.withInitial(() -> new int[1]);

    /** An exception may be among its own causes. */
    private static final int MAX_CAUSES = 100;

    private final Function<C, Attempt> beginning;
    private final int limit = ApplicationFailedException.limit();
    private C own;
    /** How often the program was begun again after an exception of the application. */
    private int exceptions;

    /**
     * A run on the PEs of a communicator, which the program doesn't know.
     *
     * @param beginning begins an attempt of its transport on the PEs alive as far as known, who all call it; blocks
     */
    public ProgramRun(C own, Function<C, Attempt> beginning) {
        this.own = own;
        this.beginning = beginning;
    }

    /** The communicator of those alive as far as known. */
    public C own() {
        return own;
    }

    /** The others need not be told that the program ends by this exception: they go on in a loop that it has left. */
    public static void leaveToLoop(Throwable thrown) {
        LEFT_TO_LOOP.get()[0] = System.identityHashCode(thrown);
    }

    /** The program has called the loop again. */
    public static void returnToLoop() {
        LEFT_TO_LOOP.get()[0] = 0;
    }

    /**
     * Runs a program. Called by all PEs.
     *
     * @return what it has returned here, when it has returned on all PEs alive
     * @throws Exception what the program has thrown, unless it is a failure; what all PEs alive have thrown
     *         ({@link KnownToAll}), or a revocation without a failure, when all have
     * @throws ApplicationFailedException on all PEs alive, when the program was begun again after an exception of the
     *         application, and has ended another PE by an exception
     */
    @SuppressWarnings("NullAway") // Where it has returned, the result is a T, whatever that is.
    public <T extends @Nullable Object> T run(Body<T> program) throws Exception {
        while (true) {
            Attempt attempt = begin();
            T result = null;
            Throwable met = null;
            try {
                result = program.run(attempt.communicator());
                // Others may wait for this PE's part.
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
                // Nobody has failed: it would only be met again.
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

    /** Goes on without those who have failed, or stops on all PEs when the application has thrown too often. */
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

    /** Also where the application has thrown it on as a cause. */
    private static boolean isLeftToLoop(Throwable thrown) {
        int left = LEFT_TO_LOOP.get()[0];
        return left != 0 && causes(thrown).anyMatch(cause -> System.identityHashCode(cause) == left);
    }

    /**
     * The failure that has made the program throw in MPI calls of its own; else what it has thrown. After a recovery
     * the communicator that the program was given is revoked: so the latest one is asked that is open.
     */
    private static Throwable meaning(Attempt attempt, Throwable thrown) {
        for (Communicator communicator : GroupCommunicators.successors(attempt.communicator()).reversed()) {
            try {
                return communicator.failureBehind(thrown).<Throwable>map(failure -> failure).orElse(thrown);
            } catch (IllegalStateException closed) {
                // The one before it says it.
            }
        }
        return thrown;
    }

    /** An exception and its causes: itself first, then its cause, and so on. */
    public static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
    }

    private static boolean isOwn(Throwable thrown) {
        return !isFailure(thrown) && !(thrown instanceof KnownToAll);
    }

    /** Whether the survivors go on after it. */
    private static boolean isFailure(Throwable thrown) {
        return thrown instanceof CommunicationFailedException || thrown instanceof ProgramAbandonedError;
    }
}
