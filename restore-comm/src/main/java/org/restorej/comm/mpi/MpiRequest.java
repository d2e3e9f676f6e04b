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
        SEND("send"), SYNCHRONOUS_SEND("synchronous send"), RECEIVE("receive"), BARRIER("barrier"), REDUCTION(
                "allReduce");

        private final String operation;

        Kind(String operation) {
            this.operation = operation;
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
     * Takes over a request just started.
     *
     * @param peer current rank of the other side, or -1 when all PEs take part
     * @param place in the communicator's list of pending requests
     */
    MpiRequest(MpiCommunicator communicator, Kind kind, int peer, MpiOperation pending, int place) {
        this.place = place;
        this.communicator = communicator;
        this.kind = kind;
        this.peer = peer;
        this.pending = pending;
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
        if (pending == null || hasEnded(pending)) {
            return true;
        }
        try {
            communicator.inVain(kind.operation);
            requireAlive();
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
        try {
            requireWhole();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
        return true;
    }

    /** Throws when what MPI takes for complete isn't. */
    private void requireWhole() {
        if (kind == Kind.SYNCHRONOUS_SEND) {
            // Where deaths are simulated, the process of a failed PE swallows what it is sent: that isn't received.
            requireAlive();
        } else if (kind == Kind.REDUCTION) {
            communicator.requireNotInterrupted(kind.operation);
        }
    }

    private boolean isOfAll() {
        return kind == Kind.BARRIER || kind == Kind.REDUCTION;
    }

    private void requireAlive() {
        if (isOfAll()) {
            communicator.requireAll(kind.operation);
        } else {
            communicator.requirePeer(kind.operation, peer);
        }
    }

    @Override
    public void cancel() {
        MpiOperation request = pending;
        if (request == null) {
            return;
        }
        if (isOfAll()) {
            // MPI can't cancel it, and the memory that it uses is its own: nobody needs to wait for it.
            UnfinishedOperations.keep(request);
            release();
            return;
        }
        try {
            if (kind == Kind.RECEIVE) {
                request.cancel();
            }
            awaitRelease(request);
        } catch (MpiException e) {
            failure = communicator.failure(kind.operation, e);
        }
        release();
    }

    private void awaitRelease(MpiOperation request) throws MpiException {
        long start = System.nanoTime();
        while (!request.test()) {
            communicator.awaitRelease();
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
