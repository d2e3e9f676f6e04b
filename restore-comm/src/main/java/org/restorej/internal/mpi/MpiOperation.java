package org.restorej.internal.mpi;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A pending operation of MPI: made beforehand, since afterwards it is too late to find that there is no memory for it,
 * and begun by a call of {@link MpiComm}. Whoever holds it holds the memory that MPI reads or writes.
 */
public class MpiOperation {
    /** What nobody else may hold any more: MPI may write to the memory for as long as it likes, whatever is closed. */
    private static final Set<MpiOperation> GIVEN_UP = ConcurrentHashMap.newKeySet();

    private @Nullable MpiComm communicator;
    private @Nullable Object first;
    @SuppressWarnings("UnusedVariable") // Reachable as long as this is: MPI uses it.
    private @Nullable Object second;
    /** Address of MPI's handle of the request; 0 where it is an object of the Java bindings. */
    long slot;
    /** See {@link #agreedFlags}. */
    int agreed;
    private boolean givenUp;
    private boolean abandoned;

    /** For the program's own requests. */
    public MpiOperation() {}

    /**
     * MPI begins it.
     *
     * @param held what must not be freed: memory, or a request of the Java bindings
     * @param alsoHeld as the first
     */
    final void hold(@Nullable Object held, @Nullable Object alsoHeld) {
        first = held;
        second = alsoHeld;
    }

    /** MPI has begun it. */
    final void begun(MpiComm by) {
        communicator = by;
    }

    /** MPI has begun it by the Java bindings. */
    public final void begun(MpiComm by, Object request) {
        first = request;
        communicator = by;
    }

    /** Whether MPI has begun it. */
    public final boolean hasBegun() {
        return communicator != null;
    }

    /** The request of the Java bindings; something else where it is none of theirs. */
    public final @Nullable Object held() {
        return first;
    }

    /**
     * Whether it has ended; asks MPI once. After true or an exception it must not be called again.
     *
     * @throws MpiException when it has ended with an error
     */
    public final boolean poll() throws MpiException {
        boolean over = true;
        try {
            over = Objects.requireNonNull(communicator).poll(this);
        } finally {
            if (over && givenUp) {
                GIVEN_UP.remove(this);
            }
        }
        return over;
    }

    /** Holds its memory until it is seen to have ended, by whoever still polls it. */
    public final void giveUp() {
        givenUp = true;
        GIVEN_UP.add(this);
    }

    /** As {@link #giveUp}, where nobody polls it: it is, when the next one is abandoned. */
    public final void abandon() {
        abandoned = true;
        synchronized (GIVEN_UP) {
            GIVEN_UP.removeIf(MpiOperation::isGone);
            GIVEN_UP.add(this);
        }
    }

    private boolean isGone() {
        try {
            return abandoned && poll();
        } catch (MpiException failed) {
            return true;
        }
    }

    /** Asks MPI to end a receive before a message has come; {@link #poll} tells when it has. */
    public final void withdraw() throws MpiException {
        Objects.requireNonNull(communicator).withdraw(this);
    }

    /** Of an agreement that has ended, what all have agreed on, also where it has ended with a failure. */
    public final int agreedFlags() {
        return agreed;
    }
}
