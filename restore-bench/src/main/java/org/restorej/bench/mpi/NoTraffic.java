package org.restorej.bench.mpi;

import org.restorej.bench.mpi.rival.Exchange;

/** Moves nothing: the barrier that follows each exchange is all that is measured. */
class NoTraffic implements Exchange {
    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void clear() {
        // It receives nothing.
    }

    @Override
    public void run() {
        // The barrier follows.
    }

    @Override
    public void check() {
        // There is nothing to check.
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
