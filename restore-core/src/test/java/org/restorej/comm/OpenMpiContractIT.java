package org.restorej.comm;

import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on the Open MPI of this machine, where one death ends the job. */
class OpenMpiContractIT extends CommunicatorContract {
    private final ContractJobs jobs = new ContractJobs(MpiFlavour.OPEN_MPI, new CommunicatorContractPrograms());

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(size, programName);
    }

    @Override
    boolean survivesFailures() {
        return false;
    }
}
