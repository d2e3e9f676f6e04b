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
 * Brings a collective operation to the same end on every survivor, whatever fails while it runs: one settlement under
 * way. Used by one thread at a time; another one may end it than has begun it.
 *
 * <p>
 * Every PE does its part and says in flags how that went. A PE that meets a failure revokes the communicator, so that
 * nobody waits for it in vain, and has no flag set. All survivors then agree on the bitwise and of the flags. When
 * every PE alive has done its part, all of them get the agreed flags, also where a process has failed since. Otherwise
 * all of them throw, after another agreement on which PE is at fault if no process has failed.
 *
 * @param <T> what the part returns
 */
final class PendingSettlement<T extends @Nullable Object> implements Task<Outcome<T>> {
    /** Ranks up to here have a place among the flags of an agreement, twice. */
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
    // Made beforehand, so that nothing is allocated between the others' answer and the result: they go on then.
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
    /** What the part has come to; null when it has thrown. */
    private @Nullable Outcome<T> own;
    /** What the part has thrown, or what this PE has met since. */
    private @Nullable Throwable met;
    /** Whether it was met when the part was done, while the others were served. */
    private boolean metWhileServing;
    private @Nullable PendingAgreement pending;
    private Agreement agreement = new Agreement(0, false);
    /** The original rank of the only PE at fault, as all PEs know it; empty when there is none, or several. */
    private OptionalInt culprit = OptionalInt.empty();
    /** Whether some PE has thrown an exception of its own, as all PEs know. */
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

    /** Does what can be done now, and says whether all is settled, so that {@link #result} knows the end. */
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
     * Waits until all is settled; see {@link Meeting#settle(Underway, String, Supplier)}.
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

    /** This PE can't go on with what others wait for: wakes them. */
    private void abort(Throwable thrown) {
        met = thrown;
        if (thrown instanceof OutOfMemoryError) {
            HeapReserve.release();
        }
        // First: where this PE has failed, this throws.
        communicator.revoke(thrown);
        Settlement.warn(communicator, operation, thrown);
        abortUnderway(thrown);
    }

    /** What that throws keeps this PE from no agreement, for which the others wait. */
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
     * Whether all have agreed; until then does what the others need of this PE. What is met then wakes those who still
     * need something; when nobody does, the operation is done all the same, and what comes after it ends alike for all.
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

    /** What all have agreed on; with a full heap from the reserve, since the others go on. */
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

    /** By an agreement, since nothing else works on a communicator that is revoked. */
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
     * The result of this PE's part, and the flags that the parts of all PEs have in common.
     *
     * @throws ProcessFailedException when it was not done by all; the same on every survivor
     * @throws CommunicatorRevokedException when it was not done by all although no process has failed
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
        // What was met after the part is not in the flags: where processes have failed, all throw that.
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
            // The others go on.
            HeapReserve.release();
            return new Outcome<>(flags, result);
        }
    }

    /**
     * A PE that can't agree leaves the others waiting for it, and must not wait for them in the agreement of an
     * operation around this one: they would wait for each other. So the exception goes all the way up.
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
