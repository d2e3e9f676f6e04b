package org.restorej.comm.collective;

import org.restorej.comm.Request;

/** A request whose result is passed to the application once, when it has completed. */
final class ResultRequest implements Request {
    private final Request pending;
    private final Runnable takeResult;
    private boolean taken;

    /**
     * Wraps a request.
     *
     * @param takeResult passes the result to the application
     */
    ResultRequest(Request pending, Runnable takeResult) {
        this.pending = pending;
        this.takeResult = takeResult;
    }

    @Override
    public boolean test() {
        if (!pending.test()) {
            return false;
        }
        if (!taken) {
            taken = true;
            takeResult.run();
        }
        return true;
    }

    @Override
    public void cancel() {
        pending.cancel();
    }
}
