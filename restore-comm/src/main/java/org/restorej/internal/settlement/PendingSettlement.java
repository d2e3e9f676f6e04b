package org.restorej.internal.settlement;

import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;

import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.Communicator.Agreement;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.internal.memory.HeapReserve;

/**
 * Completes a collective operation uniformly: it either succeeds on all survivors or throws on all of them, whatever
 * fails meanwhile. Not thread-safe, but may be completed by another thread than the one that started it.
 *
 * <p>
 * Every PE does its part and sets flags that describe the result. A PE whose part throws revokes the communicator, so
 * that no PE waits for this one, and doesn't set the flag for a completed part. All survivors then agree on the bitwise
 * AND of the flags. If every survivor has done its part, all of them get the agreed flags, even if a process has failed
 * since. Otherwise all of them throw; if no process has failed, a second agreement first identifies the PE that threw.
 *
 * @param <T> result of the part
 */
final class PendingSettlement<T extends @Nullable Object> implements Task<Outcome<T>> {
    /** Bits of a rank in the second agreement, whose flags hold the rank and its complement. */
    private static final int RANK_BITS = 15;

    private static final int RANK_MASK = (1 << RANK_BITS) - 1;

    private enum Phase {
        PART, AGREEING, FINDING_FAULT, SETTLED
    }

    private final Communicator communicator;
    private final Underway underway;
    private final boolean needsEverybody;
    private final String operation;
    private final Task<Outcome<T>> part;
    // Created in advance: after the agreement the other PEs continue, so this PE must not run out of memory.
    @SuppressWarnings("UnnecessaryLambda")
    private final Supplier<Boolean> testing = () -> pending().test();
    @SuppressWarnings("UnnecessaryLambda")
    private final Supplier<Boolean> awaiting = () -> {
        pending().await();
        return true;
    };
    private final Runnable serving;
    private final Runnable finishing;
    private Phase phase = Phase.PART;
    /** Result of the part; null if it has thrown. */
    private @Nullable Outcome<T> own;
    /** Exception of the part, or of this PE afterwards. */
    private @Nullable Throwable met;
    /** Whether the exception was thrown after the part, while serving the others. */
    private boolean metWhileServing;
    private @Nullable PendingAgreement pending;
    private Agreement agreement = new Agreement(0, false);
    /** Original rank of the only PE that threw; empty if none or several did. The same on all PEs. */
    private OptionalInt culprit = OptionalInt.empty();
    /** Whether some PE threw an exception that the others don't throw. The same on all PEs. */
    private boolean someThrew;

    PendingSettlement(Communicator communicator, Underway underway, boolean needsEverybody, String operation,
            Task<Outcome<T>> part) {
        this.communicator = communicator;
        this.underway = underway;
        this.needsEverybody = needsEverybody;
        this.operation = operation;
        this.part = part;
        serving = underway::serve;
        finishing = underway::finish;
        Thrower.NOBODY.threw(null);
    }

    /** Makes progress without waiting, and returns whether it is settled, so that {@link #result} is available. */
    @Override
    public boolean progress() {
        if (phase == Phase.PART && isPartOver()) {
            phase = Phase.AGREEING;
            pending = agreed(() -> communicator.iAgree(ownFlags()));
        }
        if (phase == Phase.AGREEING && isAgreed()) {
            phase = Phase.SETTLED;
            if (!isDone() && !agreement.processFailed()) {
                phase = Phase.FINDING_FAULT;
                pending = agreed(() -> communicator.iAgree(faultFlags()));
            }
        }
        if (phase == Phase.FINDING_FAULT && agreed(testing)) {
            phase = Phase.SETTLED;
            noteFault(pending().agreement());
        }
        return phase == Phase.SETTLED;
    }

    /**
     * Waits until it is settled; see {@link Meeting#settle(Underway, String, Supplier)}.
     *
     * @return as {@link #result}
     */
    @Override
    public Outcome<T> await() {
        while (!progress()) {
            if (phase == Phase.PART || serves()) {
                Thread.onSpinWait();
            } else {
                agreed(awaiting);
            }
        }
        return result();
    }

    private PendingAgreement pending() {
        return Objects.requireNonNull(pending);
    }

    /** Whether this PE's part is done, or has thrown. */
    private boolean isPartOver() {
        try {
            if (!part.progress()) {
                return false;
            }
            own = part.result();
        } catch (Throwable thrown) {
            if (Thrower.of(thrown) == Thrower.UNKNOWN) {
                throw Settlement.<RuntimeException>sneakyThrow(thrown);
            }
            abort(thrown);
        }
        return true;
    }

    private int ownFlags() {
        Outcome<T> done = own;
        return (done == null ? 0 : done.flags() | Settlement.DONE)
                | (met != null && Settlement.isOwn(met) ? 0 : Settlement.THREW_NOTHING) | Settlement.PRESENT;
    }

    /** Ends this PE's part after an exception, and wakes the PEs that wait for it. */
    private void abort(Throwable thrown) {
        met = thrown;
        if (thrown instanceof OutOfMemoryError) {
            HeapReserve.release();
        }
        // First, because it throws if this PE has failed.
        communicator.revoke(thrown);
        Settlement.warn(communicator, operation, thrown);
        abortUnderway(thrown);
    }

    /**
     * Aborts what is under way. An exception in that must not keep this PE from the agreement, for which the others
     * wait.
     */
    private void abortUnderway(Throwable reason) {
        try {
            underway.abort();
        } catch (SimulatedFailureError failed) {
            throw failed;
        } catch (RuntimeException | Error thrown) {
            if (!thrown.equals(reason)) {
                reason.addSuppressed(thrown);
            }
        }
    }

    private boolean serves() {
        return met == null && underway.isNeeded();
    }

    /**
     * Whether all have agreed; until then serves the other PEs. If serving throws, this PE revokes the communicator,
     * which wakes the PEs that still wait for this one. If none waits, this operation succeeds nevertheless,
     * and the next one has the same outcome on all PEs.
     */
    private boolean isAgreed() {
        if (!agreed(testing)) {
            serve(serving);
            return false;
        }
        agreement = answer();
        someThrew = threwSomewhere(agreement);
        if (isDone()) {
            serve(finishing);
        }
        return true;
    }

    /** The agreement; with a full heap its memory comes from the reserve, because the others continue. */
    private Agreement answer() {
        try {
            return pending().agreement();
        } catch (OutOfMemoryError _) {
            HeapReserve.release();
            return pending().agreement();
        }
    }

    private void serve(Runnable step) {
        if (serves()) {
            try {
                step.run();
            } catch (Throwable thrown) {
                metWhileServing = true;
                abort(thrown);
            }
        }
    }

    private boolean isDone() {
        return (agreement.flags() & Settlement.DONE) != 0
                && !(agreement.processFailed() && needsEverybody);
    }

    private static boolean threwSomewhere(Agreement answer) {
        return (answer.flags() & (Settlement.PRESENT | Settlement.THREW_NOTHING)) == Settlement.PRESENT;
    }

    private boolean isAtFault() {
        return met != null && !Settlement.isFailure(met);
    }

    /**
     * Flags of the second agreement, which works on a revoked communicator: the rank of this PE and its complement, so
     * that the AND shows whether only one PE is at fault. All bits if this PE is not at fault.
     */
    private int faultFlags() {
        if (met == null || Settlement.isFailure(met)) {
            return -1;
        }
        int rank = communicator.originalRank().value();
        return Settlement.PRESENT | (Settlement.isOwn(met) ? 0 : Settlement.THREW_NOTHING)
                | (rank > RANK_MASK ? 0 : rank | (~rank & RANK_MASK) << RANK_BITS);
    }

    private void noteFault(Agreement answer) {
        someThrew |= threwSomewhere(answer);
        int found = answer.flags() & RANK_MASK;
        if ((answer.flags() >>> RANK_BITS & RANK_MASK) == (~found & RANK_MASK)) {
            culprit = OptionalInt.of(found);
        }
    }

    /**
     * The result of this PE's part, with the flags that all parts have in common.
     *
     * @throws ProcessFailedException if a process has failed and the operation did not succeed; the same on every
     *         survivor that throws no exception of its own
     * @throws CommunicatorRevokedException if the operation did not succeed although no process has failed
     */
    @Override
    public Outcome<T> result() {
        if (phase != Phase.SETTLED) {
            throw new IllegalStateException(operation + " is not settled yet");
        }
        Outcome<T> done = own;
        if (done != null && isDone()) {
            return withCommonFlags(done.result());
        }
        Thrower another = someThrew ? Thrower.ANOTHER_PE : Thrower.NOBODY;
        // The flags don't show an exception while serving; if processes have failed, all throw the failure instead.
        if (met != null && isAtFault() && !(metWhileServing && agreement.processFailed())) {
            HeapReserve.keep();
            (Settlement.isOwn(met) ? Thrower.THIS_PE : another).threw(met);
            throw Settlement.<RuntimeException>sneakyThrow(met);
        }
        CommunicationFailedException failure = failed();
        communicator.revoke(failure);
        abortUnderway(failure);
        another.threw(failure);
        throw failure;
    }

    private Outcome<T> withCommonFlags(T result) {
        int flags = agreement.flags() & ~Settlement.OWN;
        try {
            return new Outcome<>(flags, result);
        } catch (OutOfMemoryError _) {
            // The other PEs continue.
            HeapReserve.release();
            return new Outcome<>(flags, result);
        }
    }

    /**
     * Runs a step of the agreement. A PE that can't agree leaves the others waiting, and must not wait for them in an
     * enclosing operation, which would be a deadlock. So the exception is marked, and is propagated to the outermost
     * operation.
     */
    private <S> S agreed(Supplier<S> step) {
        try {
            return step.get();
        } catch (RuntimeException | VirtualMachineError thrown) {
            Thrower.UNKNOWN.threw(thrown);
            throw thrown;
        }
    }

    private CommunicationFailedException failed() {
        SortedSet<OriginalRank> failedRanks = communicator.failedRanks();
        CommunicationFailedException uniform = agreement.processFailed()
                ? new ProcessFailedException(operation, failedRanks)
                : culprit.isEmpty()
                        ? new CommunicatorRevokedException(operation)
                        : new CommunicatorRevokedException(operation, OriginalRank.of(culprit.getAsInt()));
        if (met != null) {
            uniform.initCause(met);
        }
        return uniform;
    }
}
