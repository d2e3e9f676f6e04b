package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.program.Background;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** Base class of the requests of the local cluster: how they complete, fail and are cancelled. */
abstract class LocalRequest implements Request {
    private final LocalCommunicator communicator;
    private boolean complete;
    private @Nullable RuntimeException failure;

    LocalRequest(LocalCommunicator communicator) {
        this.communicator = communicator;
    }

    final LocalCommunicator communicator() {
        return communicator;
    }

    /** Whether the operation is done; throws errors of the program. */
    protected abstract boolean isDone();

    /** The reason why it can never complete, or null. */
    protected abstract @Nullable RuntimeException blockingFailure();

    /** Releases the buffer, unless another PE is using it: then the operation is done when this returns. */
    protected abstract void withdraw();

    /** A description for messages, such as {@code receive from 3 with tag 7}. */
    @Override
    public abstract String toString();

    @Override
    public final boolean test() {
        Pe pe = communicator.pe();
        if (complete || failure != null) {
            pe.checkAlive();
            return tryComplete();
        }
        boolean completed = pe.perform(Operation.TEST, this, () -> {
            if (tryComplete()) {
                return true;
            }
            pe.pollInVain();
            return false;
        });
        if (!completed) {
            Background.progress();
        }
        return completed;
    }

    /** Waits inside a blocking call. */
    final void awaitWithinCall() {
        communicator.pe().await(this, this::tryComplete);
    }

    private boolean tryComplete() {
        if (failure != null) {
            throw failure;
        }
        if (complete) {
            return true;
        }
        try {
            complete = isDone() || isDoneThoughObstructed();
        } catch (RuntimeException thrown) {
            failure = thrown;
            throw thrown;
        }
        return complete;
    }

    private boolean isDoneThoughObstructed() {
        RuntimeException blockingFailure = blockingFailure();
        if (blockingFailure == null) {
            return false;
        }
        withdraw();
        if (!isDone()) {
            throw blockingFailure;
        }
        return true;
    }

    @Override
    public final void cancel() {
        Pe pe = communicator.pe();
        // A failed PE's messages were withdrawn when it failed; its clean-up must not throw.
        if (complete || failure != null || pe.hasFailed()) {
            return;
        }
        pe.perform(Operation.CANCEL, this, () -> {
            withdraw();
            complete = true;
            return true;
        });
    }
}
