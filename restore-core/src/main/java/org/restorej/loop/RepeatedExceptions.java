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
 * Counts the PEs that have ended by exceptions of the application in the same work, which the loop repeats, and stops
 * the loop on all survivors when repeating is useless. All survivors have the same count: they learn of an exception
 * when the work ends, and agree in the recovery whether the PE that threw has ended or continues. Not thread-safe.
 */
final class RepeatedExceptions {
    /** Maximum length of the text of an exception that all PEs get. */
    private static final int MAX_TEXT_BYTES = 4096;

    private final LoopCommunicator communicator;
    private int limit = ApplicationFailedException.limit();
    /** Number of PEs that have ended after they threw. */
    private int ended;
    /** Whether a PE has thrown of which it is not yet known whether it has ended. */
    private boolean undecided;
    private boolean thrownHere;
    /** Whether an exception of the application, on any PE, has ended the work that is repeated. */
    private boolean thrown;
    private @Nullable ApplicationFailedException stop;

    RepeatedExceptions(LoopCommunicator communicator) {
        this.communicator = communicator;
    }

    void limit(int endedPes) {
        limit = ApplicationFailedException.checkLimit(endedPes);
    }

    /** Rethrows what has stopped the loop. */
    void throwStop() {
        if (stop != null) {
            throw stop;
        }
    }

    /** Records that the work, or the part of it that had thrown, is done. */
    void progressed() {
        ended = 0;
        if (thrown && communicator.isFirst()) {
            JobState.clear();
        }
        thrown = false;
    }

    /** Whether exceptions of the application have ended the work that is repeated. */
    boolean wereThrown() {
        return thrown;
    }

    /**
     * Runs work in which the application may throw, and reports an exception to the launcher at once: the revocation
     * that tells the other PEs ends the job if they can't be told.
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

    /** Reports an exception to the launcher. Throws nothing, because the other PEs wait for this PE's next call. */
    static void report(long iteration, Throwable met) {
        if (met instanceof SimulatedFailureError || Settlement.isThrownByAll(met) || Settlement.isLeft(met)) {
            return;
        }
        try {
            JobState.write(JobState.End.EXCEPTION, iteration);
        } catch (OutOfMemoryError untold) {
            // The launcher then treats it as any other end.
        }
    }

    /** Reports to the launcher what all PEs throw because of the program or its data, unless it is a failure. */
    void refused(long iteration, Throwable met) {
        if (met instanceof CommunicationFailedException) {
            return;
        }
        thrown = true;
        if (communicator.isFirst()) {
            JobState.write(JobState.End.EXCEPTION, iteration);
        }
    }

    /**
     * Records what has ended the work on this PE. Called by all survivors when any has thrown.
     *
     * @param iteration number of the iteration with which the work started
     * @throws ApplicationFailedException on all survivors, when the limit of ended PEs was reached before
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

    /** Counts PEs that have ended, by an agreement of the survivors. Collective. */
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

    /** The texts of the exceptions of all PEs. Collective. */
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
