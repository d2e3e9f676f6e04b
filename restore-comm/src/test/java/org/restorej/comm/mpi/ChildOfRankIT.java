package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** Processes that a rank starts inherit its environment, but not its place in MPI. */
class ChildOfRankIT {
    private static final String ON_THREADS = "child of 3 PEs: LocalCommunicator\nexit code 0\n";
    private static final String ON_MPI = "child of 2 PEs: MpiCommunicator\nexit code 0\n";

    private static void run(MpiFlavour flavour, String... nested) {
        flavour.require();
        MpiResult result = MpiJob.of(ChildOfRankProgram.class, 2).on(flavour).environment("RESTOREJ_AOT", "no")
                .arguments(nested).run().requireSuccess();
        assertEquals(ON_THREADS + ON_THREADS + (nested.length == 0 ? "" : ON_MPI), result.output(0), result::describe);
    }

    @Test
    void aChildRunsOnThreadsUnderUlfm() {
        run(MpiFlavour.ULFM);
    }

    @Test
    void aChildRunsOnThreadsOrUnderAnotherLauncher() {
        MpiFlavour.MPICH.require();
        run(MpiFlavour.OPEN_MPI, "mpich");
    }

    @Deep
    @Test
    void aChildRunsUnderTheSameLauncher() {
        run(MpiFlavour.OPEN_MPI, "openmpi");
    }

    @Deep
    @Test
    void aChildOfMpichRunsUnderOpenMpi() {
        MpiFlavour.OPEN_MPI.require();
        run(MpiFlavour.MPICH, "openmpi");
    }
}
