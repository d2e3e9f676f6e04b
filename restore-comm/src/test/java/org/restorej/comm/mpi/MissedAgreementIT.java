package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

class MissedAgreementIT {
    /** Where failures are simulated who shrinks instead, and so waits for who agrees, keeps nobody waiting. */
    @Test
    void anAgreementThatOneMissesHasNoFlagsAndIsNotTakenForALaterOne() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(MissedAgreementProgram.class, 4).run().requireSuccess();
        for (int rank = 0; rank < 4; rank++) {
            String said = result.output(rank);
            assertTrue(rank == 1 || said.contains("agreed on 0\n"), result::describe);
            assertTrue(said.contains("went on as 4, 4 in all, 6"), result::describe);
        }
    }
}
