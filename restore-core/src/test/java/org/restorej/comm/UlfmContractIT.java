package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on Open MPI 5 with ULFM. */
class UlfmContractIT extends UlfmContract {
    UlfmContractIT() {
        super(MpiFlavour.ULFM);
    }
}
