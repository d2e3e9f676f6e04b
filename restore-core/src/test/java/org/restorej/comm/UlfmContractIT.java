package org.restorej.comm;

import java.util.List;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Depth;

/** The contract on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmContractIT extends CommunicatorContract {
    private static final String WITHOUT_DEATHS = "revokeWakesEverybody";

    private final ContractJobs jobs = new ContractJobs(MpiFlavour.ULFM).add(new CommunicatorContractPrograms(),
            SIZES.toArray(Integer[]::new));

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(CommunicatorContractPrograms.class, size, programName);
    }

    /** Each death takes a job of its own, and all have their say on 4 PEs. */
    @Override
    List<Integer> sizesWithDeaths() {
        return Depth.isDeep() ? SIZES : List.of(4);
    }

    @Override
    void runFailureProgram(int size, String programName) {
        FailureContractPrograms suite = new FailureContractPrograms();
        jobs.requireKeptByTheSurvivors(suite, size, suite.named(programName), !programName.equals(WITHOUT_DEATHS));
        if (!Depth.isDeep()) {
            Depth.leaveOut(programName + " on 1, 2 and 8 ranks under ULFM");
        }
    }
}
