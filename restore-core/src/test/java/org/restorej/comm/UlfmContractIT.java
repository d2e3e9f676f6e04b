package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.mpi.OpenMpi;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The contract on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmContractIT extends CommunicatorContract {
    private static final String WITHOUT_DEATHS = "revokeWakesEverybody";

    private final ContractJobs jobs = new ContractJobs(MpiFlavour.ULFM, new CommunicatorContractPrograms());
    private final ContractJobs failureJobs = new ContractJobs(MpiFlavour.ULFM, new FailureContractPrograms());

    @TestFactory
    Stream<DynamicTest> severalThreadsMayCommunicate() {
        return new ContractJobs(MpiFlavour.ULFM, new ConcurrencyPrograms()).threads(OpenMpi.ThreadLevel.MULTIPLE)
                .tests(List.of(1, 2, 4));
    }

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
