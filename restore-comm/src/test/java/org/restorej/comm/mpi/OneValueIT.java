package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

/** A reduction of one value, which programs make in each iteration, leaves nothing for the garbage collector. */
class OneValueIT {
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI", "MPICH"})
    void aReductionOfOneValueAllocatesNothing(MpiFlavour flavour) {
        flavour.require();
        MpiResult result = MpiJob.of(OneValueProgram.class, 2).on(flavour).run();
        result.requireSuccess();
        for (int rank = 0; rank < 2; rank++) {
            assertEquals("bytes a reduction: 0", result.output(rank).strip(), "rank " + rank);
        }
    }
}
