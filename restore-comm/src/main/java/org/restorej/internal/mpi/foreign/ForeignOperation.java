package org.restorej.internal.mpi.foreign;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * A request of MPI.
 *
 * @param slot address of its handle
 * @param first memory that MPI uses, kept from being freed; MemorySegment.NULL for none
 * @param second as the first
 */
record ForeignOperation(ForeignComm communicator, long slot, MemorySegment first, MemorySegment second)
        implements
            MpiOperation {
    @Override
    public boolean test() throws MpiException {
        return communicator.test(slot);
    }

    @Override
    public void cancel() throws MpiException {
        communicator.cancel(slot);
    }
}
