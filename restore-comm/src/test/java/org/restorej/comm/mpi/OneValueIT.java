package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

/** A reduction of one value, which programs make in each iteration, leaves nothing for the garbage collector. */
class OneValueIT {
    @Test
    void aReductionOfOneValueAllocatesNothing() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(OneValueProgram.class, 2).on(MpiFlavour.OPEN_MPI).run();
        result.requireSuccess();
        for (int rank = 0; rank < 2; rank++) {
            assertEquals("bytes a reduction: 0", result.output(rank).strip(), "rank " + rank);
        }
    }
}
