package org.restorej.comm;

import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmContractIT extends CommunicatorContract {
    private static final String WITHOUT_DEATHS = "revokeWakesEverybody";

    private final ContractJobs jobs = new ContractJobs(MpiFlavour.ULFM, new CommunicatorContractPrograms());
    private final ContractJobs failureJobs = new ContractJobs(MpiFlavour.ULFM, new FailureContractPrograms());

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(size, programName);
    }

    @Override
    boolean survivesFailures() {
        return true;
    }

    @Override
    void runFailureProgram(int size, String programName) {
        failureJobs.requireKeptByTheSurvivors(size, programName, !programName.equals(WITHOUT_DEATHS));
    }
}
