package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on the Open MPI of this machine. */
class OpenMpiContractIT extends MpiContract {
    OpenMpiContractIT() {
        super(MpiFlavour.OPEN_MPI);
    }
}
