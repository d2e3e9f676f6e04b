package org.restorej.comm.mpi;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.program.Background;

/**
 * A pending message or collective call of MPI. Refers to the memory that MPI uses, and stays reachable until MPI no
 * longer uses it.
 *
 * <p>
 * After an error MPI has freed the request, so the outcome is stored here and MPI is not asked again.
 */
final class MpiRequest extends MpiOperation implements Request {
    /** Kind of the operation. */
    enum Kind {
        SEND("send"), SYNCHRONOUS_SEND("synchronous send"), RECEIVE("receive"), BARRIER("barrier"), REDUCTION(
                "allReduce");

        private final String operation;

        Kind(String operation) {
            this.operation = operation;
        }

        /** Name of the operation, for messages. */
        String operation() {
            return operation;
        }

        /** Whether all PEs take part. */
        boolean isOfAll() {
            return this == BARRIER || this == REDUCTION;
        }
    }

    /**
     * How long a cancelled request may take to end. After a revocation it ends within milliseconds; the limit turns a
     * peer that never answers into an error instead of a hang.
     */
    private static final long RELEASE_TIMEOUT_SECONDS = 60;

    private final MpiCommunicator communicator;
    private final Kind kind;
    private final int peer;
    private int place;
    private boolean over;
    private @Nullable RuntimeException failure;

    /**
     * Creates a request that is not started; MPI starts it, or {@link #forgetUnlessBegun} is called.
     *
     * @param peer current rank of the other side, or -1 if all PEs take part
     * @param place index in the communicator's list of pending requests, which holds it until it is over
     */
    MpiRequest(MpiCommunicator communicator, Kind kind, int peer, int place) {
        this.place = place;
        this.communicator = communicator;
        this.kind = kind;
        this.peer = peer;
    }

    /** Removes it from the communicator's list if MPI has not started the operation. */
    void forgetUnlessBegun() {
        if (!hasBegun()) {
            communicator.pending().remove(this);
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

    /** Tests the request in MPI once. Throws and stores the error that ended the operation. */
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
            // MPI can't cancel it, but it uses its own memory, so there is no need to wait for it.
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

    /** Waits until MPI no longer uses the memory. */
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
        communicator.pending().remove(this);
    }
}
