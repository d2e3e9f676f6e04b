package org.restorej.comm.mpi;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.program.Background;

/**
 * A pending message or collective call, from the program down to MPI: refers to the memory that MPI uses, and is held
 * until MPI has let go of it.
 *
 * <p>
 * After an error MPI has freed the request, so the outcome is kept here and MPI is never asked again.
 */
final class MpiRequest extends MpiOperation implements Request {
    /** What is pending. */
    enum Kind {
        SEND("send"), SYNCHRONOUS_SEND("synchronous send"), RECEIVE("receive"), BARRIER("barrier"), REDUCTION(
                "allReduce");

        private final String operation;

        Kind(String operation) {
            this.operation = operation;
        }

        /** Its name in messages. */
        String operation() {
            return operation;
        }

        /** Whether all PEs take part. */
        boolean isOfAll() {
            return this == BARRIER || this == REDUCTION;
        }
    }

    /**
     * How long a request that was given up may take to end. After a revocation it ends within milliseconds; the limit
     * turns a peer that never answers into an error instead of a hanging program.
     */
    private static final long RELEASE_TIMEOUT_SECONDS = 60;

    private final MpiCommunicator communicator;
    private final Kind kind;
    private final int peer;
    private int place;
    private boolean over;
    private @Nullable RuntimeException failure;

    /**
     * A request that hasn't begun: MPI begins it, or {@link #forgetUnlessBegun} follows.
     *
     * @param peer current rank of the other side, or -1 when all PEs take part
     * @param place in the communicator's list of pending requests, where it is until it is over
     */
    MpiRequest(MpiCommunicator communicator, Kind kind, int peer, int place) {
        this.place = place;
        this.communicator = communicator;
        this.kind = kind;
        this.peer = peer;
    }

    /** Takes it off the communicator's list when MPI has not begun the operation. */
    void forgetUnlessBegun() {
        if (!hasBegun()) {
            communicator.released(this);
        }
    }

    boolean isReceive() {
        return kind == Kind.RECEIVE;
    }

    int place() {
        return place;
    }

    void moveTo(int newPlace) {
        place = newPlace;
    }

    @Override
    public boolean test() {
        if (failure != null) {
            throw failure;
        }
        communicator.requireSelfAlive();
        if (over || (!communicator.failures().hasSimulatedFailure() && hasEnded())) {
            return true;
        }
        try {
            communicator.requireUsable(kind.operation);
        } catch (RuntimeException e) {
            cancel();
            failure = e;
            throw e;
        }
        Background.progress();
        return false;
    }

    /** Asks MPI once. Throws, and remembers, the error that ended the operation. */
    private boolean hasEnded() {
        try {
            if (!poll()) {
                return false;
            }
            release();
            if (kind == Kind.REDUCTION) {
                communicator.failures().requireNotInterrupted(kind.operation);
            }
            return true;
        } catch (MpiException e) {
            release();
            failure = communicator.failure(kind.operation, e);
            throw failure;
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void cancel() {
        if (over) {
            return;
        }
        if (kind.isOfAll()) {
            // MPI can't cancel it, and the memory that it uses is its own: nobody needs to wait for it.
            abandon();
            release();
            return;
        }
        try {
            if (kind == Kind.RECEIVE) {
                withdraw();
            }
            awaitRelease();
        } catch (MpiException e) {
            failure = communicator.failure(kind.operation, e);
        }
        release();
    }

    /** Waits until MPI has let go of the memory. */
    private void awaitRelease() throws MpiException {
        long start = System.nanoTime();
        while (!poll()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(RELEASE_TIMEOUT_SECONDS)) {
                throw new IllegalStateException(
                        "MPI still uses the memory of a " + kind.operation + " with rank " + peer
                                + " that was cancelled " + RELEASE_TIMEOUT_SECONDS
                                + " s ago: the memory must not be freed, and the program can't go on");
            }
        }
    }

    private void release() {
        over = true;
        communicator.released(this);
    }
}
