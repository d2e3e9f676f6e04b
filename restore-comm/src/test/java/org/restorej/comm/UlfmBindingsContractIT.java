package org.restorej.comm;

import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on Open MPI with ULFM, called by its Java bindings. */
@Deep
class UlfmBindingsContractIT extends UlfmContract {
    UlfmBindingsContractIT() {
        super(MpiFlavour.ULFM_BINDINGS);
    }
}
