package org.restorej.comm;

import org.junit.jupiter.api.Nested;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on the MPIs to come: Open MPI 6 and MPICH 5, with interfaces of their own and with the standard's. */
@Deep
class NewerMpiContractIT {
    @Nested
    class OpenMpi6 extends MpiContract {
        OpenMpi6() {
            super(MpiFlavour.OPEN_MPI_6);
        }
    }

    @Nested
    class Mpich5 extends MpiContract {
        Mpich5() {
            super(MpiFlavour.MPICH_5);
        }
    }

    @Nested
    class AbiOpenMpi extends MpiContract {
        AbiOpenMpi() {
            super(MpiFlavour.ABI_OPEN_MPI);
        }
    }

    @Nested
    class AbiMpich extends MpiContract {
        AbiMpich() {
            super(MpiFlavour.ABI_MPICH);
        }
    }
}
