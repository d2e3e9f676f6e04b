package org.restorej.comm.mpi;

import java.lang.foreign.MemorySegment;
import org.restorej.comm.Request;

/** A reduction under way, and where its result goes. */
final class ReductionRequest implements Request {
    private final Request pending;
    private final MemorySegment received;
    private final long[] values;
    private boolean taken;

    /**
     * Takes over a reduction.
     *
     * @param received where MPI puts the result
     * @param values where the application wants it
     */
    ReductionRequest(Request pending, MemorySegment received, long[] values) {
        this.pending = pending;
        this.received = received;
        this.values = values;
    }

    @Override
    public boolean test() {
        if (!pending.test()) {
            return false;
        }
        if (!taken) {
            taken = true;
            MemorySegment.ofArray(values).copyFrom(received);
        }
        return true;
    }

    @Override
    public void cancel() {
        pending.cancel();
    }
}
