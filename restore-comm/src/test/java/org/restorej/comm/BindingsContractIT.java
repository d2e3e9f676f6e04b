package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on the Open MPI of this machine, called by its Java bindings. */
class BindingsContractIT extends MpiContract {
    BindingsContractIT() {
        super(MpiFlavour.BINDINGS);
    }
}
