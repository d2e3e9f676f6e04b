package org.restorej.internal.mpi.bindings;

import mpi.MPIException;
import mpi.Request;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * A request of the bindings, which refers to the buffers, and so to the memory behind them.
 *
 * @param request of the bindings
 */
record BindingsOperation(Request request) implements MpiOperation {
    @Override
    public boolean test() throws MpiException {
        try {
            return request.test();
        } catch (MPIException e) {
            throw BindingsLibrary.exception(e);
        }
    }

    @Override
    public void cancel() throws MpiException {
        try {
            request.cancel();
        } catch (MPIException e) {
            throw BindingsLibrary.exception(e);
        }
    }
}
