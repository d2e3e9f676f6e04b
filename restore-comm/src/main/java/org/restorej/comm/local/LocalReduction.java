package org.restorej.comm.local;

import org.restorej.comm.Request;

/** One PE's part in a reduction of the local cluster that goes on while the PE does something else. */
final class LocalReduction implements Request {
    private final CollectiveRequest entered;
    private final Runnable takeResult;
    private boolean taken;

    /**
     * A reduction under way.
     *
     * @param takeResult brings the result to the application, when all have entered
     */
    LocalReduction(CollectiveRequest entered, Runnable takeResult) {
        this.entered = entered;
        this.takeResult = takeResult;
    }

    @Override
    public boolean test() {
        if (!entered.test()) {
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
        entered.cancel();
    }
}
