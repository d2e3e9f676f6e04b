package org.restorej.comm;

import java.util.List;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on the Open MPI of this machine. */
class OpenMpiContractIT extends MpiContract {
    OpenMpiContractIT() {
        super(MpiFlavour.OPEN_MPI, List.of(1, 2, 4));
    }
}
