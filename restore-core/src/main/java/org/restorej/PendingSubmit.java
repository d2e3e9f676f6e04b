package org.restorej;

import org.restorej.internal.operation.BackgroundSubmit;
import org.restorej.internal.operation.StoreCalls;

/**
 * A submit under way while the application computes.
 *
 * <p>
 * What is submitted must not change before it is done. Its outcome is the store's when {@link #await}, or whatever else
 * is next called of the store, returns: then all PEs alive have the new generation, or all get the failure and still
 * have the old one. Used by the thread that uses the store, but for {@link #isDone} and {@link #submittedBytes}.
 */
public final class PendingSubmit {
    private final StoreCalls calls;
    private final BackgroundSubmit submit;

    PendingSubmit(StoreCalls calls, BackgroundSubmit submit) {
        this.calls = calls;
        this.submit = submit;
    }

    /** Whether {@link #await} would return at once; any thread. */
    public boolean isDone() {
        return submit.isDone();
    }

    /** Whether it runs in a thread of its own, which takes a communicator that several threads may use at once. */
    public boolean runsInBackground() {
        return submit.runsInBackground();
    }

    /** Bytes of this PE's blocks that have reached all their holders; any thread. */
    public long submittedBytes() {
        return submit.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits. */
    public long totalBytes() {
        return submit.totalBytes();
    }

    /**
     * Waits until it is done. Collective, as {@link ReStore#submit(Submission)} is, and throws what that throws.
     *
     * @return number of the new generation
     */
    public long await() {
        try (var _ = calls.begin("await")) {
            return submit.outcome();
        }
    }
}
