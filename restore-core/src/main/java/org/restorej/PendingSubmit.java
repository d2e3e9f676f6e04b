package org.restorej;

import org.restorej.internal.operation.BackgroundOperation;
import org.restorej.internal.operation.StoreCalls;
import org.restorej.internal.operation.SubmitOperation;

/** A submit under way while the application computes: comes to the number of the new generation. */
public final class PendingSubmit extends PendingOperation<Long> {
    private final SubmitOperation submit;

    PendingSubmit(StoreCalls calls, SubmitOperation submit, BackgroundOperation<Long> operation) {
        super(calls, operation);
        this.submit = submit;
    }

    /** Bytes of this PE's blocks that have reached all their holders; any thread. */
    public long submittedBytes() {
        return submit.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits. */
    public long totalBytes() {
        return submit.totalBytes();
    }

    @Override
    String progressText() {
        return ": " + submittedBytes() + " of " + totalBytes() + " bytes are submitted";
    }
}
