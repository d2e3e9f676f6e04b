package org.restorej.comm;

import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on Open MPI 5 with ULFM. */
class UlfmContractIT extends UlfmContract {
    UlfmContractIT() {
        super(MpiFlavour.ULFM);
    }

    @Deep
    @TestFactory
    List<DynamicContainer> keepsTheContractWhenPesOfOtherNumbersOfRanksDie() {
        return keepsTheContractWhenPesDie(without(sizes()));
    }
}
