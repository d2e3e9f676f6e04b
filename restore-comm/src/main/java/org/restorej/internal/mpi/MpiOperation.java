package org.restorej.internal.mpi;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A pending operation of MPI. Allocated before the operation, since afterwards there might be no memory, and started by
 * a call of {@link MpiComm}. Keeps the memory that MPI reads or writes reachable.
 */
public class MpiOperation {
    /**
     * Operations that no other object refers to. MPI may still write to their memory, even after communicators are
     * closed.
     */
    private static final Set<MpiOperation> GIVEN_UP = ConcurrentHashMap.newKeySet();

    private @Nullable MpiComm communicator;
    private @Nullable Object first;
    @SuppressWarnings("UnusedVariable") // Keeps it reachable, because MPI uses it.
    private @Nullable Object second;
    /** Address of MPI's request handle; 0 if it is an object of the Java bindings. */
    long slot;
    /** See {@link #agreedFlags}. */
    int agreed;
    private boolean givenUp;
    private boolean abandoned;

    /** For operations that are not a request of an application. */
    public MpiOperation() {}

    /**
     * Called before MPI starts it.
     *
     * @param held kept reachable: memory, or a request of the Java bindings
     * @param alsoHeld kept reachable, too
     */
    final void hold(@Nullable Object held, @Nullable Object alsoHeld) {
        first = held;
        second = alsoHeld;
    }

    /** Called when MPI has started it. */
    final void begun(MpiComm by) {
        communicator = by;
    }

    /** Called when MPI has started it through the Java bindings. */
    public final void begun(MpiComm by, Object request) {
        first = request;
        communicator = by;
    }

    /** Whether MPI has started it. */
    public final boolean hasBegun() {
        return communicator != null;
    }

    /** The request of the Java bindings; another object if it isn't theirs. */
    public final @Nullable Object held() {
        return first;
    }

    /**
     * Whether it has completed; asks MPI once. Must not be called again after it has returned true or thrown.
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

    /** Keeps its memory reachable until {@link #poll} finds it ended. The caller continues to poll it. */
    public final void giveUp() {
        givenUp = true;
        GIVEN_UP.add(this);
    }

    /** Keeps its memory reachable. The caller no longer polls it; later calls of this method do. */
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

    /** Asks MPI to cancel a receive before a message has arrived; {@link #poll} returns whether it has ended. */
    public final void withdraw() throws MpiException {
        Objects.requireNonNull(communicator).withdraw(this);
    }

    /** The agreed flags of a completed agreement, even if it has ended with a failure. */
    public final int agreedFlags() {
        return agreed;
    }
}
