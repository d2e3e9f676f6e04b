package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on MPICH, whose ranks others of every day start, too. */
@Deep
class MpichContractIT extends MpiContract {
    MpichContractIT() {
        super(MpiFlavour.MPICH);
    }
}
