package org.restorej.loop;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Thrower;
import org.restorej.internal.program.JobState;
import org.restorej.internal.program.ProgramRun;

/**
 * Counts how many PEs exceptions of the application have ended in the same work, which the loop repeats each time, and
 * stops the loop on all PEs alive when it is no fault of a PE. All PEs alive count the same: what an exception has
 * ended, all of them learn at that end; and whether the PE that has thrown is gone or goes on, they agree
 * on in the recovery. One thread.
 */
final class RepeatedExceptions {
    /** Of the text of an exception that all PEs get. */
    private static final int MAX_TEXT_BYTES = 4096;

    private final LoopCommunicator communicator;
    private int limit = ApplicationFailedException.limit();
    /** PEs that are gone since they have thrown. */
    private int ended;
    /** Whether there was an exception of which it isn't known yet whether its PE is gone. */
    private boolean undecided;
    private boolean thrownHere;
    /** Whether the work that is repeated was ended by an exception of the application, on any PE. */
    private boolean thrown;
    private @Nullable ApplicationFailedException stop;

    RepeatedExceptions(LoopCommunicator communicator) {
        this.communicator = communicator;
    }

    void limit(int endedPes) {
        limit = ApplicationFailedException.checkLimit(endedPes);
    }

    /** Throws again what has stopped the loop. */
    void throwStop() {
        if (stop != null) {
            throw stop;
        }
    }

    /** The work is done, or part of it in which exceptions were thrown. */
    void progressed() {
        ended = 0;
        if (thrown && communicator.current().rank() == 0) {
            JobState.clear();
        }
        thrown = false;
    }

    /** Whether exceptions of the application have ended the work that is repeated. */
    boolean wereThrown() {
        return thrown;
    }

    /**
     * Does work in which the application may throw, and tells the launcher of that at once: the others are told by a
     * revocation, which ends the job where it can reach nobody.
     *
     * @param iteration that is under way
     */
    static <T extends @Nullable Object> T reported(LongSupplier iteration, Supplier<T> work) {
        try {
            return work.get();
        } catch (Throwable met) {
            report(iteration.getAsLong(), met);
            throw met;
        }
    }

    /** Throws nothing: the others wait for what this PE does next. */
    static void report(long iteration, Throwable met) {
        if (met instanceof SimulatedFailureError || Settlement.isThrownByAll(met) || Settlement.isLeft(met)) {
            return;
        }
        try {
            JobState.write(JobState.End.EXCEPTION, iteration);
        } catch (OutOfMemoryError untold) {
            // The launcher takes the end for any other.
        }
    }

    /**
     * Takes note of what has ended the work on this PE. Called by all PEs alive when any has thrown.
     *
     * @param iteration number of the iteration that the work began with
     * @throws ApplicationFailedException on all PEs alive, when that has ended enough of them before
     */
    void met(long iteration, Throwable met) {
        Thrower thrower = Thrower.of(met);
        if (thrower == Thrower.NOBODY || thrower == Thrower.UNKNOWN) {
            return;
        }
        boolean here = thrower == Thrower.THIS_PE;
        if (ended >= limit) {
            stop = stopped(iteration, here ? met : null);
            throw stop;
        }
        thrown = true;
        undecided = true;
        if (here) {
            thrownHere = true;
            ProgramRun.leaveToLoop(met);
        }
    }

    /** Counts, among those who go on. Collective. */
    void shrunk(Communicator survivors) {
        if (!undecided) {
            return;
        }
        if (thrownHere) {
            ProgramRun.returnToLoop();
        }
        boolean gone = (survivors.agree(thrownHere ? 0 : 1).flags() & 1) != 0;
        undecided = false;
        thrownHere = false;
        if (gone) {
            ended++;
        }
    }

    private ApplicationFailedException stopped(long iteration, @Nullable Throwable own) {
        String again = ended == 0
                ? ""
                : ", as before on " + ended + (ended == 1 ? " PE that has" : " PEs that have")
                        + " ended by it";
        ApplicationFailedException exception = new ApplicationFailedException(
                "the application has thrown in what follows iteration " + iteration + again + ": " + exchanged(own));
        if (own != null) {
            exception.initCause(own);
        }
        return exception;
    }

    /** What was thrown, on all PEs. */
    private String exchanged(@Nullable Throwable own) {
        try {
            Communicator all = communicator.shrink();
            byte[] mine = own == null ? new byte[0] : textOf(all, own).getBytes(StandardCharsets.UTF_8);
            byte[][] texts = all.allGather(Arrays.copyOf(mine, Math.min(mine.length, MAX_TEXT_BYTES)));
            return Stream.of(texts).filter(text -> text.length > 0)
                    .map(text -> new String(text, StandardCharsets.UTF_8))
                    .collect(Collectors.joining("; "));
        } catch (CommunicationFailedException another) {
            return own == null ? "on another PE" : own.toString();
        }
    }

    private static String textOf(Communicator all, Throwable own) {
        return "PE " + all.originalRank() + ": " + own;
    }
}
