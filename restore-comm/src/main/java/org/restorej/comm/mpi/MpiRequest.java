package org.restorej.comm.mpi;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.program.Background;
import org.restorej.comm.Request;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * A pending operation of MPI, which refers to the memory that MPI uses, and is held here until MPI has let go of it.
 *
 * <p>
 * After an error MPI has freed the request, so the outcome is kept here and MPI is never asked again.
 */
final class MpiRequest implements Request {
    /** What is pending. */
    enum Kind {
        SEND("send"), SYNCHRONOUS_SEND("synchronous send"), RECEIVE("receive"), BARRIER("barrier"), GATHER(
                "allGather"), REDUCTION("allReduce");

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
            return this == BARRIER || this == GATHER || this == REDUCTION;
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
    private @Nullable MpiOperation pending;
    private @Nullable RuntimeException failure;

    /**
     * A request that hasn't begun: {@link #begun} follows, or {@link #forgetUnlessBegun}.
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

    /** MPI has begun the operation. */
    void begun(MpiOperation operation) {
        pending = operation;
    }

    /** Takes it off the communicator's list when MPI has not begun the operation. */
    void forgetUnlessBegun() {
        if (pending == null) {
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
        communicator.failures().requireNotFailedHere();
        if (pending == null || (!communicator.failures().hasSimulatedFailure() && hasEnded(pending))) {
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
    private boolean hasEnded(MpiOperation request) {
        try {
            if (!request.test()) {
                return false;
            }
        } catch (MpiException e) {
            release();
            failure = communicator.failure(kind.operation, e);
            throw failure;
        }
        release();
        if (kind == Kind.REDUCTION) {
            try {
                communicator.failures().requireNotInterrupted(kind.operation);
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            }
        }
        return true;
    }

    @Override
    public void cancel() {
        MpiOperation request = pending;
        if (request == null) {
            return;
        }
        if (kind.isOfAll()) {
            // MPI can't cancel it, and the memory that it uses is its own: nobody needs to wait for it.
            UnfinishedOperations.keep(request);
            release();
            return;
        }
        try {
            if (kind == Kind.RECEIVE) {
                request.cancel();
            }
            awaitRelease(request, kind, peer);
        } catch (MpiException e) {
            failure = communicator.failure(kind.operation, e);
        }
        release();
    }

    /** Waits until MPI has let go of the memory of an operation that was given up. */
    static void awaitRelease(MpiOperation request, Kind kind, int peer) throws MpiException {
        long start = System.nanoTime();
        while (!request.test()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(RELEASE_TIMEOUT_SECONDS)) {
                throw new IllegalStateException(
                        "MPI still uses the memory of a " + kind.operation + " with rank " + peer
                                + " that was cancelled " + RELEASE_TIMEOUT_SECONDS
                                + " s ago: the memory must not be freed, and the program can't go on");
            }
        }
    }

    private void release() {
        pending = null;
        communicator.released(this);
    }
}
