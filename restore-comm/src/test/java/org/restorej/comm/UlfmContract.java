package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on an Open MPI with ULFM, where ranks that fail are killed with SIGKILL: each time a job of its own. */
abstract class UlfmContract extends FailureContract {
    private static final List<Integer> EVERY_DAY = List.of(4);

    private static final String WITHOUT_FAILURES = "revokeWakesEverybody";

    /** One for each function of MPI that tells of failures, and two where they meet. */
    private static final List<ContractProgram> WITH_FAILURES_EVERY_DAY = Stream
            .of("receiveFromAFailedPeNamesIt", "probeReportsAFailedPe",
                    "aReductionWithAFailedPeFails", WITHOUT_FAILURES, "agreementIsUniformDespiteAFailure",
                    "aFailureInAGroupDisturbsNoOther", "anAgreementIsPendingOverEachFailure",
                    "anotherThreadEndsAnAgreement",
                    "aFailureEndsEveryOperationOnArrays", "failuresOneAfterTheOtherAreSurvived")
            .map(new FailureContractPrograms()::named).toList();

    private final ContractJobs jobs;

    UlfmContract(MpiFlavour flavour) {
        jobs = new ContractJobs(flavour).add(new CommunicatorContractPrograms(), SIZES.toArray(Integer[]::new));
    }

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(CommunicatorContractPrograms.class, size, programName);
    }

    @Override
    List<Integer> sizes() {
        return EVERY_DAY;
    }

    /** Every day on another Open MPI. */
    @Deep
    @Override
    @TestFactory
    List<DynamicContainer> keepsTheContract() {
        return super.keepsTheContract();
    }

    /** On threads every program every day. */
    @Override
    @TestFactory
    List<DynamicContainer> keepsTheContractWhenPesDie() {
        return containers(sizes(), WITH_FAILURES_EVERY_DAY, this::runFailureProgram);
    }

    @Deep
    @TestFactory
    List<DynamicContainer> keepsTheContractInOtherProgramsWhenPesDie() {
        return containers(sizes(), FailureContractPrograms.ALL.stream()
                .filter(program -> !WITH_FAILURES_EVERY_DAY.contains(program)).toList(), this::runFailureProgram);
    }

    @Deep
    @TestFactory
    List<DynamicContainer> keepsTheContractOnOtherNumbersOfRanks() {
        return keepsTheContract(without(EVERY_DAY));
    }

    @Override
    void runFailureProgram(int size, String programName) {
        FailureContractPrograms suite = new FailureContractPrograms();
        jobs.requireKeptByTheSurvivors(suite, size, suite.named(programName), !programName.equals(WITHOUT_FAILURES));
    }
}
