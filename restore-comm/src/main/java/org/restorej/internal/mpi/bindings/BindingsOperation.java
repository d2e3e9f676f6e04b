package org.restorej.internal.mpi.bindings;

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
        return BindingsLibrary.call(request::test);
    }

    @Override
    public void cancel() throws MpiException {
        BindingsLibrary.run(request::cancel);
    }
}
