package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.program.Background;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** What all requests of the local cluster have in common: how they complete, fail and are given up. */
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

    /** Whether it is done; errors of the program are thrown. */
    protected abstract boolean isDone();

    /** Why it can never be done, or null. */
    protected abstract @Nullable RuntimeException blockingFailure();

    /** Lets go of the buffer, unless another PE has begun to use it: then it is done when this returns. */
    protected abstract void withdraw();

    /** What it does and with whom, as in {@code receive from 3 with tag 7}. */
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

    /** Waits in the middle of a blocking call. */
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
        // A failed PE's messages were taken back when it failed; its cleaning up must not fail.
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
