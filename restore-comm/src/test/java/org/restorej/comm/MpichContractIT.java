package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on MPICH. */
class MpichContractIT extends MpiContract {
    MpichContractIT() {
        super(MpiFlavour.MPICH);
    }
}
