package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on Open MPI 6 with ULFM. */
@Deep
class Ulfm6ContractIT extends UlfmContract {
    Ulfm6ContractIT() {
        super(MpiFlavour.ULFM_6);
    }
}
